import { count, figure, memory } from '../src/lib/figures.ts'
import { table } from '../src/report/print/markdown.ts'
import { eachServer, type Article } from './article.ts'
import { balancers } from './balancers.ts'
import { memoryOf, rateOf, rowOf } from './rows.ts'

/** How much more iptables answered than the others. */
const told: Record<string, string> = { cluster: '100 %', nginx: '104 %', iptables: '106 %' }

/** Eight processes behind each balancer; iptables needs root. Requests are work: processes are the limit. */
export const balancing: Article = {
  question: 'Which balancer answers most, spreads best and costs least?',
  measure: (how) =>
    eachServer(
      {
        cluster: { cluster: 8 },
        nginx: { replicas: 8, balancer: balancers.nginx },
        node: { replicas: 8, balancer: balancers.node },
        iptables: { replicas: 8, balancer: balancers.iptables },
      },
      { work: ['/count/500000'], clients: 64, seconds: 45, timeout: 10 },
      how,
    ),
  table(rows) {
    const reference = rowOf(rows, 'cluster')
    return table(
      [
        ...['Before the processes', 'article', 'here', 'requests a second', 'least and most of one process'],
        ...['CPU of balancer or master', 'memory of balancer or master', 'memory of the processes'],
      ],
      rows.map((row) => {
        const { configuration, rate, processes } = row
        const before = processes.find(({ requests }) => requests === null)
        const behind = processes.filter(({ requests }) => requests !== null)
        const answered = behind.map(({ requests }) => requests!)
        return [
          configuration,
          told[configuration] ?? '–',
          row.atLeast || reference.atLeast ? '–' : `${figure((rate / reference.rate) * 100)} %`,
          rateOf(row),
          `${count(Math.min(...answered))} – ${count(Math.max(...answered))}`,
          before?.cpu == null ? '–' : before.cpu.toFixed(2),
          memoryOf(before),
          memory(behind.reduce((sum, one) => sum + (one.memory ?? 0), 0)),
        ]
      }),
    )
  },
}
