import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { convert, type Converted } from '../../../loadtests/src/convert/convert.ts'
import type { BesideValues } from '../../../loadtests/src/convert/source.ts'
import { sources, type SourceName } from '../../../loadtests/src/convert/sources.ts'
import type { Values } from '../../../loadtests/src/model/experiment.ts'

export const fixtures = join(import.meta.dirname, 'fixtures')

/** For one of the files in their format, or for a few values. */
export function converted(from: SourceName, theirs: string | Values, given: Partial<BesideValues> = {}): Converted {
  const values =
    typeof theirs === 'string'
      ? (parse(readFileSync(join(fixtures, theirs), 'utf8'), { merge: true }) as Values)
      : theirs
  return convert(sources[from](values), values, { release: 'n8n', tag: '2.41.1', ...given })
}

/** The keys that were converted, dropped or left to the user. */
export const pathsOf = ({ account, todos }: Converted, what: 'mapped' | 'dropped' | 'refused') => [
  ...account.rows().flatMap(({ path, outcome }) => (outcome.is === what ? [path] : [])),
  ...(what === 'refused' ? todos.map(({ path }) => path) : []),
]

export const openOf = ({ open }: Converted) => open.map(({ path }) => path)
