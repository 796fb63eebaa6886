import type { Values } from '../../profile/experiment.ts'
import { at, isEmpty } from '../draft.ts'
import { both, on } from '../rules.ts'

/** Switches of the official chart’s values: most other values only have an effect beside one of them. */
export const queue = on('queueMode.enabled')
export const processors = both(queue, on('webhookProcessor.enabled'))
export const several = both(queue, on('multiMain.enabled'))
export const external = on('database.useExternal')
export const licensed = on('license.enabled')
export const runners = on('taskRunners.enabled')
export const keda = on('keda.enabled')
export const scaledBy = (path: string) => (all: Values) => on(path)(all) && !keda(all)
export const ownKey = (all: Values) => isEmpty(at(all, 'secretRefs.existingSecret'))
