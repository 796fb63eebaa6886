import { valueAt } from '../../lib/values.ts'
import { both, not, on, type ValuesCondition } from '../rules.ts'
import { isEmpty } from '../values.ts'

/** Switches of the official chart’s values: most other values only have an effect beside one of them. */
export const officialQueue = on('queueMode.enabled')
export const officialProcessors = both(officialQueue, on('webhookProcessor.enabled'))
export const several = both(officialQueue, on('multiMain.enabled'))
export const external = on('database.useExternal')
export const officialLicensed = on('license.enabled')
export const officialRunners = on('taskRunners.enabled')
export const keda = on('keda.enabled')
export const scaledBy = (path: string) => both(on(path), not(keda, 'KEDA scales it'))
export const ownKey: ValuesCondition = {
  holds: (all) => isEmpty(valueAt(all, 'secretRefs.existingSecret')),
  unless: 'secretRefs.existingSecret has it',
}
export const officialPersistent = on('persistence.enabled')
