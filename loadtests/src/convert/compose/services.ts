import { isMap } from '../../lib/values.ts'
import { nameValue } from '../../lib/name-value.ts'
import type { Values } from '../../model/experiment.ts'

/** The claim for n8n’s folder that docs/move-folder.yaml makes. */
export const claim = 'n8n-data'

/** What a service of a Compose file is to n8n. */
type Kind = 'main' | 'worker' | 'webhook' | 'runner' | 'once' | 'other'

export interface ComposeService {
  name: string
  kind: Kind
  of: Values
}

/** All services, by their images and commands. */
export function composeServices(all: Values): ComposeService[] {
  const services = Object.entries(isMap(all.services) ? all.services : {}).filter(([, of]) => isMap(of))
  const ended = new Set(services.flatMap(([, of]) => waitedFor((of as Values).depends_on)))
  const found = services.map(([name, of]) => ({ name, of: of as Values, kind: kindOf(name, of as Values, ended) }))
  const mains = found.filter(({ kind }) => kind === 'main')
  // Beside an n8n that is started as its image does it, a script is a task.
  const tasks = mains.filter(({ of }) => of.restart === 'no' || isScript(commandOf(of)))
  if (tasks.length < mains.length) for (const task of tasks) task.kind = 'once'
  return found
}

const isScript = (words: string) => /^\S*\b(ba|a)?sh\b|\.sh\b/.test(words) && !starts(words)

export const mainOf = (all: Values): ComposeService | undefined =>
  composeServices(all).find(({ kind }) => kind === 'main')

/** Services whose end another one waits for. */
function waitedFor(dependsOn: unknown): string[] {
  const entries = Object.entries(isMap(dependsOn) ? dependsOn : {})
  return entries.filter(([, how]) => isMap(how) && how.condition === 'service_completed_successfully').map(([n]) => n)
}

function kindOf(name: string, of: Values, ended: Set<string>): Kind {
  const image = String(of.image ?? '').replace(/@.*/, '')
  if (/(^|\/)runners(:|$)/.test(image) || isRunner(of)) return 'runner'
  if (!runsN8n(image, of)) return 'other'
  const words = commandOf(of)
  if (ended.has(name) || isCommand(words)) return 'once'
  return (['worker', 'webhook'] as const).find((kind) => words.split(/[\s"';&]+/).includes(kind)) ?? 'main'
}

const isRunner = (of: Values) =>
  namesIn(of.environment).includes('N8N_RUNNERS_TASK_BROKER_URI') || /task-runner-launcher/.test(commandOf(of))

/** Images of one's own are known by what n8n gets in them. */
function runsN8n(image: string, of: Values): boolean {
  const last = image.split('/').at(-1)!.replace(/:.*/, '')
  if (last === 'n8n') return true
  const mayBe = last === '' ? of.build !== undefined : /n8n/.test(last) && !/runner/.test(last)
  return mayBe && (namesIn(of.environment).some((name) => ofN8n.test(name)) || hasFolder(of.volumes))
}

/** What other programs around n8n seldom get. */
const ofN8n =
  /^(N8N_(HOST|PORT|PROTOCOL|ENCRYPTION_KEY|EDITOR_BASE_URL)(_FILE)?|DB_TYPE|DB_POSTGRESDB_\w+|WEBHOOK_URL)$/

const hasFolder = (volumes: unknown) =>
  Array.isArray(volumes) && volumes.some((mount) => /\/\.n8n\/?$/.test(mountOf(mount).target))

const namesIn = (environment: unknown) => [...variablesIn(environment).keys()]

/** A list of `NAME=text`, or a map. */
export const variablesIn = (environment: unknown): Map<string, unknown> =>
  new Map(
    Array.isArray(environment)
      ? environment.map((entry) => nameValue(String(entry)))
      : Object.entries(isMap(environment) ? environment : {}),
  )

/** Entrypoint and command, as a shell would have them. */
export function commandOf(of: Values): string {
  return [of.entrypoint ?? [], of.command ?? []].flat().join(' ')
}

/** Commands of n8n that end: `import:workflow`, `execute`, `user-management:reset`. */
function isCommand(words: string): boolean {
  return !starts(words) && /\b[a-z-]+:[a-z-]+\b|\bn8n\s+(execute|executeBatch|audit)\b|^(execute|audit)\b/.test(words)
}

/** `volume:/folder:ro`, or the map of it. */
export function mountOf(mount: unknown): { from: string; target: string; readOnly: boolean } {
  if (isMap(mount)) {
    const from = mount.type === 'tmpfs' ? 'tmpfs' : String(mount.source ?? '')
    return { from, target: String(mount.target ?? ''), readOnly: mount.read_only === true }
  }
  const [from = '', target = from, modes = ''] = String(mount).split(':')
  return { from, target, readOnly: modes.split(',').includes('ro') }
}

/** Whether a command starts an n8n that stays. */
const starts = (words: string) => /\b(start|worker|webhook)\b|(^|&&|;|exec)\s*n8n\s*$/.test(words)
