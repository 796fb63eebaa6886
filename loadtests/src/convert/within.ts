import type { Values } from '../profile/experiment.ts'
import { at, isMap } from './values.ts'

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
  const [[name, only] = []] = Object.entries(given).filter(([key]) => key !== 'global')
  const isAlone = Object.keys(given).filter((key) => key !== 'global').length === 1
  if (name === 'n8n' && isAlone && isMap(only) && !('encryption_key' in only)) return { values: only, keys: [name] }
  return { values: given, keys: [] }
}
