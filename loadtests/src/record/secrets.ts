import { redacted } from '../shared/redacted.ts'
import type { RunRecord } from './records.ts'

const telling = new RegExp(
  '(password|passwd|passphrase|secret|token|api_?key|access_?key|private_?key|encryption_?key|activation_?key'
    + '|credentials?)$|_KEY$',
  'i',
)
/** Keys that only name where a secret is. */
const pointing = /^existing/i

/** Helm values without those whose keys name a secret, because runs are kept, copied and shown to others. */
export function withoutSecrets<Given>(given: Given, name = ''): Given {
  if (typeof given === 'string') return (isSecret(name) && given !== '' ? redacted : withoutPassword(given)) as Given
  if (Array.isArray(given)) return given.map((item) => withoutSecrets(item, name)) as Given
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, withoutSecrets(value, nameOf(key, name, given))]),
  ) as Given
}

/** In a list of pairs, the name of the pair decides; for `password.value`, the key above it. */
function nameOf(key: string, parent: string, { name }: { name?: unknown }): string {
  const [last, before = parent] = key.split('.').reverse() as [string, string?]
  if (last !== 'value') return last
  return typeof name === 'string' ? name : before
}

const isSecret = (name: string) => telling.test(name) && !pointing.test(name)

/** `postgres://user:password@host` → `postgres://REDACTED@host` */
const withoutPassword = (text: string) => text.replace(/(\w:\/\/)[^/\s@]*:[^/\s@]*@/g, `$1${redacted}@`)

/** An argument of a command: `--set database.password.value=…` is one argument, or two. */
export function withoutSecret(argument: string): string {
  const [whole, path, value] = /^(?:--set=)?([^=\s]+)=(.+)$/s.exec(argument) ?? []
  if (whole === undefined) return argument
  const hidden = withoutSecrets({ [path!]: value! })[path!]!
  return argument.slice(0, argument.length - value!.length) + hidden
}

/** Only records with values are changed; reports of processes and measurements stay as they are. */
export function withoutSecretsOf(record: RunRecord): RunRecord {
  if (record.type === 'run') return { ...record, experiment: withoutSecrets(record.experiment) }
  return record.type === 'cell'
    ? { ...record, values: withoutSecrets(record.values), matrix: withoutSecrets(record.matrix) }
    : record
}
