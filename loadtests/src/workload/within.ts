import type { Location } from '../lib/errors.ts'
import { openCatalog } from '../n8n/catalog.ts'
import { findWorkflows, type GivenBeside, type Workflow } from './open.ts'

/** What `apart.ts` has called in a process of its own. */

export type GivenApart = Omit<GivenBeside, 'catalog'> & {
  /** The folder of an installed n8n, which says of its own types what a workflow lacks. */
  n8n?: string
}

export const findWithin = (name: string, location: Location, { n8n, ...given }: GivenApart): Promise<Workflow[]> =>
  findWorkflows(name, location, { ...given, catalog: n8n === undefined ? undefined : openCatalog(n8n) })
