import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { status, textOf, until } from '../../../loadtests/src/lib/await.ts'
import { freePorts } from '../../../loadtests/src/lib/ports.ts'
import { processGenerator } from '../../../loadtests/src/load/process.ts'
import { usageOf } from '../../../loadtests/src/targets/local/usage.ts'
import type { Target } from '../../../loadtests/src/targets/target.ts'
import type { Served } from './machine.ts'

/** How much the server's pace changes, as a share, and by which numbers. */
export interface Noise {
  noise: number
  seed: number
}

/**
 * A target on which every plan is the same made server. k6 has the first core, the server the second. With
 * noise, the server has another pace at each start.
 */
export function syntheticTarget(of: Served, { noise, seed }: Noise = { noise: 0, seed: 1 }): Target {
  let starts = 0
  const several = availableParallelism() > 1
  const on = (core: number, argv: string[]) => (several ? ['taskset', '-c', String(core), ...argv] : argv)
  return {
    limits: { kind: 'none', enforced: false },
    cores: { target: [several ? 1 : 0], generator: [0] },
    generator: processGenerator({ onCores: (argv) => on(0, argv), cores: 1, track: () => {}, folder: tmpdir() }),
    async up() {
      const [port] = (await freePorts(1)) as [number]
      const [command, ...args] = on(1, [
        process.execPath,
        '--no-warnings',
        join(import.meta.dirname, 'serve.ts'),
        String(port),
        JSON.stringify(of),
        String(noise),
        String(seed + starts++),
      ])
      const child = spawn(command!, args, { stdio: 'inherit' })
      const metricsUrl = `http://127.0.0.1:${port}/metrics`
      if (!(await until(async () => (await status(metricsUrl)) === 200, { timeout: 30_000, every: 20 })))
        throw new Error('Expected the server to answer within 20 s, got nothing')
      return {
        url: `http://127.0.0.1:${port}`,
        settings: null,
        stores: [],
        processes: [
          {
            name: 'server',
            limits: { cpu: null, memory: null },
            serves: true,
            usage: async () => usageOf(Number(await textOf(`http://127.0.0.1:${port}/cpu`, 900)), [child.pid!]),
            metrics: (timeout) => textOf(metricsUrl, timeout),
          },
        ],
        ready: async () => 0,
        down: () => end(child),
      }
    },
    serve: async () => ({ url: '', stop: async () => {} }),
    close: async () => {},
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
