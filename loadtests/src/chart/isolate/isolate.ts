import { fewerCommunityNodes } from './community-nodes.ts'
import { draftOf } from './draft.ts'
import { imagesToBeHad } from './images.ts'
import { ownPods } from './pods.ts'
import { noOtherServices } from './services.ts'
import { ownStores } from './stores.ts'
import { noSurroundings } from './surroundings.ts'
import { ownVolumesOfRoles } from './volumes.ts'
import { ownVariables } from './variables.ts'
import type { Where } from './where.ts'
import type { Values } from '../../model/experiment.ts'
import type { SetAside } from '../../model/environment.ts'

export { together } from './draft.ts'
export type { SetAside } from '../../model/environment.ts'

/**
 * Values of production as a run may use them: on stores of its own, without Secrets that exist only there, and calling
 * nobody. What n8n is tuned with stays as it is, because that is what is measured. Says what was set aside; isolated
 * values come back as they are.
 */
export function isolate(values: Values, where: Where = {}): { values: Values; setAside: SetAside[] } {
  const draft = draftOf(values)
  ownStores(draft, where)
  noOtherServices(draft)
  imagesToBeHad(draft, where)
  const folders = ownVolumesOfRoles(draft)
  ownVariables(draft, where, folders)
  fewerCommunityNodes(draft, where, folders)
  ownPods(draft)
  noSurroundings(draft)
  return { values: draft.values, setAside: draft.setAside() }
}
