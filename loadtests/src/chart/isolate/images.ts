import { valueAt } from '../../lib/values.ts'
import { dropValue, isGiven, nothing, put, textAt, type IsolatedDraft } from './draft.ts'
import type { Where } from './where.ts'
import type { Values } from '../../model/experiment.ts'

/** The images of a plan, and those that can be had without an account. */
interface Known {
  path: string
  repository: string
  /** Null: that of n8n. */
  tag: string | null
}

const known: Known[] = [
  { path: 'image', repository: 'n8nio/n8n', tag: null },
  { path: 'runner.image', repository: 'n8nio/runners', tag: null },
  { path: 'database.embedded.image', repository: 'postgres', tag: '15' },
  { path: 'redis.embedded.image', repository: 'redis', tag: '7.0' },
  { path: 'loadtest.k6.image', repository: 'grafana/k6', tag: '1.8.1' },
]

/** The images that the values name, and for which there are others if they cannot be pulled. */
export const imagesNamed = (values: Values): string[] =>
  known.flatMap((one) => {
    const { here, own } = referencesOf(values, one)
    return here === own || !isGiven(valueAt(values, one.path)) ? [] : [here]
  })

/** Public images in place of those that this place cannot have. */
export function imagesToBeHad({ values, aside }: IsolatedDraft, where: Where): void {
  for (const one of known) {
    const { here, own } = referencesOf(values, one)
    if (here === own || !isGiven(valueAt(values, one.path)) || canBeHad(here, one, values, where)) continue
    const tag = one.tag ?? (one.path === 'image' ? n8nVersionOf(values) : '')
    for (const key of ['version', 'digest']) dropValue(values, `${one.path}.${key}`)
    put(values, `${one.path}.repository`, one.repository)
    if (tag === '') dropValue(values, `${one.path}.tag`)
    else put(values, `${one.path}.tag`, tag)
    aside(
      `${one.path} ${here}`,
      where.images === 'pulled' ? own : `${programOf(one)} as this machine has it`,
      `What your image adds is missing${where.images === 'pulled' ? ': it could not be pulled here' : ''}`,
    )
  }
  if (isGiven(valueAt(values, 'image.pullSecrets'))) {
    dropValue(values, 'image.pullSecrets')
    aside('image.pullSecrets', 'the nodes’ own access', nothing)
  }
  if (valueAt(values, 'image.pullPolicy') === 'Always') {
    put(values, 'image.pullPolicy', 'IfNotPresent')
    aside('image.pullPolicy Always', 'IfNotPresent', nothing)
  }
}

function canBeHad(here: string, { path, repository }: Known, values: Values, { images, missing = [] }: Where): boolean {
  if (images === 'pulled') return !missing.includes(here)
  // Processes run a program of that name and version; whose registry it came from does not count.
  const [name] = here.split('@')
  const isSame = name!
    .split('/')
    .at(-1)!
    .startsWith(`${repository.split('/').at(-1)}:`)
  const version = path === 'image' || path === 'runner.image' ? n8nVersionOf(values) : undefined
  return isSame && (version === undefined || name!.endsWith(`:${version}`)) && isOfficial(name!, repository)
}

/** Names of the same image at other registries that are open to all. */
const isOfficial = (name: string, repository: string) =>
  name
    .replace(/:[^:/]*$/, '')
    .replace(/^(?:(?:index\.)?docker\.io|docker\.n8n\.io|public\.ecr\.aws\/docker)\//, '')
    .replace(/^library\//, '') === repository

/** What the values name, and what can be had without an account. */
function referencesOf(values: Values, { path, repository, tag }: Known): { here: string; own: string } {
  const digest = textAt(values, `${path}.digest`)
  const version = path === 'loadtest.k6.image' ? tag! : (tag ?? n8nVersionOf(values))
  const given = textAt(values, `${path}.tag`) || (path === 'image' ? '' : version)
  const name = textAt(values, `${path}.repository`) || repository
  return { here: `${name}:${given || version}${digest && `@${digest}`}`, own: `${repository}:${version}` }
}

/** n8n's version, as the chart reads it: what follows a dash in a tag does not count. Empty: the chart's own. */
export function n8nVersionOf(values: Values): string {
  const given = textAt(values, 'image.version') || textAt(values, 'image.tag')
  return /^\d+\.\d+\.\d+/.exec(given)?.[0] ?? given
}

const programOf = ({ repository }: Known) =>
  ({ n8n: 'n8n', runners: 'the task runner', postgres: 'PostgreSQL', redis: 'Redis', k6: 'k6' })[
    repository.split('/').at(-1)!
  ]
