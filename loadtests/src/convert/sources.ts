import { community } from './community/source.ts'
import { compose } from './compose/source.ts'
import { official } from './official/source.ts'
import type { Source } from './source.ts'
import type { Values } from '../model/experiment.ts'
import { at, isMap } from './values.ts'
import { eightGears0 } from './eight-gears/release-0.ts'
import { eightGears1 } from './eight-gears/release-1.ts'

/** The names that `--from` accepts, and which source each is for the given file. */
export const sources = {
  official: () => official,
  community: () => community,
  '8gears': eightGears,
  compose: () => compose,
} satisfies Record<string, (theirs: Values) => Source>

export type SourceName = keyof typeof sources

/** From release 1.0 on everything of n8n is below `main`. */
function eightGears(theirs: Values): Source {
  return [theirs.main, theirs.worker, theirs.webhook].some(isMap) ? eightGears1 : eightGears0
}

/** Where objects of GitOps keep the values of a release. */
const places = [
  { kind: 'HelmRelease', keys: ['spec', 'values'] },
  { kind: 'HelmChart', keys: ['spec', 'valuesContent'] },
  { kind: 'Application', keys: ['spec', 'source', 'helm', 'valuesObject'] },
]

/** The values themselves, where the file is an object that contains them, or those of a chart that contains theirs. */
export function valuesWithin(given: Values): { values: Values; keys: string[] } {
  const place = places.find(({ kind }) => given.kind === kind)
  const inside = place && at(given, place.keys.join('.'))
  if (place && isMap(inside)) return { values: inside, keys: place.keys }
  // A chart that has n8n’s as a dependency names the values for it by its name.
  const others = Object.keys(given).filter((key) => key !== 'n8n' && !/^(_|x-)|^(global|namespace)$/.test(key))
  if (others.length === 0 && isMap(given.n8n) && !('encryption_key' in given.n8n))
    return { values: given.n8n, keys: ['n8n'] }
  return { values: given, keys: [] }
}
