import type { Source } from '../source.ts'
import { isMap } from '../values.ts'
import { eightGears0 } from './release-0.ts'
import { eightGears1 } from './release-1.ts'
import type { Values } from '../../model/experiment.ts'

/** From release 1.0 on everything of n8n is below `main`. */
export function eightGears(theirs: Values): Source {
  return [theirs.main, theirs.worker, theirs.webhook].some(isMap) ? eightGears1 : eightGears0
}
