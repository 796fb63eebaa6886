import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { execa } from 'execa'
import { status, until } from '../src/lib/await.ts'
import { count, figure, latency } from '../src/lib/figures.ts'
import { root } from '../src/lib/paths.ts'
import { freePorts } from '../src/lib/ports.ts'
import { table } from '../src/report/print/markdown.ts'
import type { Article } from './article.ts'
import { openBench } from './bench.ts'
import { measure } from './measure.ts'

const program = join(import.meta.dirname, 'server/main.mjs')
const load = { clients: 8, seconds: 20, timeout: 10 }

/** PM2 puts new processes in the place of two that serve, in the middle of the load: one by one, or all at once. */
export const reload: Article = {
  question: 'Does any caller notice when PM2 reloads, or restarts, the processes of a cluster?',
  async *measure({ signal, seconds = load.seconds }) {
    for (const verb of ['reload', 'restart'] as const) {
      const bench = await openBench(signal)
      const home = join(bench.machine.scratch.path, 'pm2')
      const [port, countsPort] = (await freePorts(2)) as [number, number]
      const env = {
        ...{ PATH: '/usr/bin:/bin', HOME: home, PM2_HOME: join(home, '.pm2') },
        ...{ SERVER: 'express', CLUSTER: '0', NODE_ENV: 'production' },
        ...{ PORT: String(port), COUNTS_PORT: String(countsPort) },
      }
      const pm2 = (...words: string[]) =>
        execa(process.execPath, [join(root, 'node_modules/pm2/bin/pm2'), ...words], {
          env,
          extendEnv: false,
          cwd: root,
        })
      const url = `http://127.0.0.1:${port}/hello`
      try {
        await pm2('start', program, '--name', 'server', '--instances', '2')
        if (!(await until(async () => (await status(url)) === 200, { timeout: 20_000, every: 100 })))
          throw new Error(`Expected the server under PM2 to answer at ${url}, but it did not.`)
        const [row] = await Promise.all([
          measure(
            { ...load, seconds, url, processes: [], generator: bench.generator, signal },
            { configuration: `pm2 ${verb}`, work: '/hello' },
          ),
          setTimeout((seconds / 3) * 1000, undefined, { signal }).then(() => pm2(verb, 'server')),
        ])
        yield row
      } finally {
        await pm2('kill')
        await bench.close()
      }
    }
  },
  table: (rows) =>
    table(
      ['Under load', 'requests a second', 'p95', 'requests that failed'],
      rows.map(({ configuration, rate, p95, failed }) => [configuration, figure(rate), latency(p95), count(failed)]),
    ),
}
