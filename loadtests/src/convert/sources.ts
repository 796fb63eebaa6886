import { community } from './community/source.ts'
import { compose } from './compose.ts'
import { eightGears } from './eight-gears.ts'
import { official } from './official/source.ts'
import type { Source } from './source.ts'

/** The names that `--from` accepts. */
export const sources = { official, community, '8gears': eightGears, compose } satisfies Record<string, Source>

export type SourceName = keyof typeof sources
