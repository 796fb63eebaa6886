import { both, not, on, type Asked } from '../rules.ts'
import { at, isEmpty } from '../values.ts'

/** Switches of the official chart’s values: most other values only have an effect beside one of them. */
export const queue = on('queueMode.enabled')
export const processors = both(queue, on('webhookProcessor.enabled'))
export const several = both(queue, on('multiMain.enabled'))
export const external = on('database.useExternal')
export const licensed = on('license.enabled')
export const runners = on('taskRunners.enabled')
export const keda = on('keda.enabled')
export const scaledBy = (path: string) => both(on(path), not(keda, 'KEDA scales it'))
export const ownKey: Asked = {
  holds: (all) => isEmpty(at(all, 'secretRefs.existingSecret')),
  unless: 'secretRefs.existingSecret has it',
}
export const persistent = on('persistence.enabled')
