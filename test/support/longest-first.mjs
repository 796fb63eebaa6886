import { readFileSync } from 'node:fs'
import Sequencer from '@jest/test-sequencer'

/** The longest file that begins last is waited for alone, and on a clean checkout Jest knows no times. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const most = new Map(tests.map(({ path }) => [path, mostOf(readFileSync(path, 'utf8'))]))
    return super.sort(tests).toSorted((a, b) => most.get(b.path) - most.get(a.path))
  }
}

/** Milliseconds: the longest timeout of its tests, or what whole runs of the lab may take. */
function mostOf(text) {
  const timeouts = [...text.matchAll(/(?:^ +|\}, )(\d+)_000[,)]/gm)].map(([, thousands]) => 1000 * thousands)
  const runs = /support\/(command|running-lab|planted)|fixtures\/running/.test(text) ? 300_000 : 0
  return Math.max(runs, ...timeouts)
}
