import { count, memory as bytes } from '../src/lib/figures.ts'
import { table } from '../src/report/print/markdown.ts'
import { eachServer, type Article } from './article.ts'
import { courseOf, memoryOf, processOf, rateOf, rowOf } from './rows.ts'

/** Requests a second for 400 clients under PM2, as a process of its own and behind a master. */
const told: Record<string, [fork: number, cluster: number]> = {
  http: [17487, 15077],
  express: [14534, 12032],
  sails: [529, 451],
}

/** A sixth of a core each, so that the servers and not the generator are the limit. */
export const memory: Article = {
  question: 'What do Node servers answer, and what memory do their processes take?',
  measure: (how) =>
    eachServer(
      {
        'http-single': { cpu: 0.15 },
        'http-clustered': { cluster: 1, cpu: 0.15 },
        'express-single': { kind: 'express', cpu: 0.15 },
        'express-clustered': { kind: 'express', cluster: 1, cpu: 0.15 },
        'sails-single': { kind: 'sails', cpu: 0.15 },
        'sails-clustered': { kind: 'sails', cluster: 1, cpu: 0.15 },
      },
      { work: ['/hello'], clients: 400, seconds: 40, timeout: 10 },
      how,
    ),
  table(rows) {
    const figures = table(
      [
        ...['Server', 'article: fork', 'article: cluster', 'here: single', 'here: cluster of 1'],
        ...['memory: single', 'memory: master + worker'],
      ],
      Object.entries(told).map(([server, [fork, cluster]]) => {
        const [single, clustered] = [rowOf(rows, `${server}-single`), rowOf(rows, `${server}-clustered`)]
        return [
          server,
          count(fork),
          count(cluster),
          rateOf(single),
          rateOf(clustered),
          memoryOf(single.processes[0]),
          `${memoryOf(processOf(clustered, 'master'))} + ${memoryOf(processOf(clustered, 'worker'))}`,
        ]
      }),
    )
    const courses = table(
      ['Process', 'Memory over time', 'Peak'],
      rows.flatMap(({ configuration, processes }) =>
        processes.map((process) => [
          `${configuration}, ${process.name}`,
          courseOf(process),
          process.peak === null ? '–' : bytes(process.peak),
        ]),
      ),
    )
    return `${figures}\n\n${courses}`
  },
}
