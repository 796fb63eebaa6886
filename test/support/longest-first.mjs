import { readFileSync } from 'node:fs'
import Sequencer from '@jest/test-sequencer'

/** Runs of the whole command take longest, and their files are short: one that begins last is waited for alone. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const runs = ({ path }) => Number(readFileSync(path, 'utf8').includes('support/command'))
    return super.sort(tests).toSorted((a, b) => runs(b) - runs(a))
  }
}
