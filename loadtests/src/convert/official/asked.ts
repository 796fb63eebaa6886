import type { Values } from '../../profile/experiment.ts'
import { at, isEmpty } from '../draft.ts'
import { both, on } from '../rules.ts'

/** What the official chart’s values ask for: most of them hold only beside one of these. */
export const queue = on('queueMode.enabled')
export const processors = both(queue, on('webhookProcessor.enabled'))
export const several = both(queue, on('multiMain.enabled'))
export const external = on('database.useExternal')
export const licensed = on('license.enabled')
export const runners = on('taskRunners.enabled')
export const keda = on('keda.enabled')
export const scaledBy = (path: string) => (all: Values) => on(path)(all) && !keda(all)
export const ownKey = (all: Values) => isEmpty(at(all, 'secretRefs.existingSecret'))
