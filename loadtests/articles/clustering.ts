import { count, figure } from '../src/lib/figures.ts'
import { table } from '../src/report/print/markdown.ts'
import { eachServer, type Article } from './article.ts'
import type { Row } from './measure.ts'
import { rateOf, rowOf, timesOf } from './rows.ts'

/** Requests a second of Express with 100 clients on four cores: one process, and four of Node's cluster module. */
const told: Record<string, [single: number, clustered: number]> = {
  '/count/50': [1882, 1672],
  '/count/5000': [1975, 1753],
  '/count/500000': [788, 1426],
  '/count/5000000': [114, 410],
}

/** Four cores become four times the CPU, in parts small enough for a generator on one core. */
export const clustering: Article = {
  question: 'From how much work on do several Node processes answer more than one?',
  measure: (how) =>
    eachServer(
      { single: { kind: 'express', cpu: 0.08 }, clustered: { kind: 'express', cluster: 4, cpu: 0.32 } },
      { work: Object.keys(told), clients: 100, seconds: 15, timeout: 30 },
      how,
    ),
  table: (rows) =>
    table(
      ['Counts to', 'article: one process', 'article: cluster', 'gain', 'here: one process', 'here: cluster', 'gain'],
      Object.entries(told).map(([work, [single, clustered]]) => {
        const [one, four] = ['single', 'clustered'].map((name) => rowOf(rows, name, work)) as [Row, Row]
        return [
          count(Number(work.split('/').at(-1))),
          count(single),
          count(clustered),
          `${figure(clustered / single)}×`,
          rateOf(one),
          rateOf(four),
          timesOf(four, one),
        ]
      }),
    ),
}
