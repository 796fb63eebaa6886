import { community } from './community/source.ts'
import { compose } from './compose/source.ts'
import { eightGears } from './eight-gears/source.ts'
import { official } from './official/source.ts'
import type { Source } from './source.ts'
import type { Values } from '../model/experiment.ts'

/** The names that `--from` accepts, and which source each is for the given file. */
export const sources = {
  official: () => official,
  community: () => community,
  '8gears': eightGears,
  compose: () => compose,
} satisfies Record<string, (theirs: Values) => Source>

export type SourceName = keyof typeof sources
