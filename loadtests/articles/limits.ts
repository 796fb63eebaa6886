import { table } from '../src/report/print/markdown.ts'
import { eachServer, type Article } from './article.ts'

/** A server that is never idle, at a quarter of a core and at a whole one. */
export const limits: Article = {
  question: 'Does a process get the CPU time of its limit, and no more?',
  measure: (how) =>
    eachServer(
      { quarter: { cpu: 0.25 }, whole: { cpu: 1 } },
      { work: ['/count/5000000'], clients: 32, seconds: 30, timeout: 30 },
      how,
    ),
  table: (rows) =>
    table(
      ['Process', 'Limit, cores', 'CPU it got, cores', 'of its limit'],
      rows.flatMap(({ configuration, processes }) =>
        processes.map(({ name, limit, cpu }) => [
          `${configuration}, ${name}`,
          String(limit),
          cpu!.toFixed(3),
          `${((cpu! / limit!) * 100).toFixed(1)} %`,
        ]),
      ),
    ),
}
