import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { uncounted } from '../../../loadtests/src/judge/accounting.ts'
import { judge } from '../../../loadtests/src/judge/verdict.ts'
import { drive } from '../fixtures/k6.ts'

/** k6 shares its core with a program that fills it, as PostgreSQL may on a small machine. */
test('late answers are not held against n8n while another program fills the core of k6', async () => {
  const onCore = (argv: string[]) => ['taskset', '--cpu-list', '0', ...argv]
  const [command, ...args] = onCore([process.execPath, '-e', 'for (;;);'])
  const other = spawn(command!, args)
  try {
    const load = await drive(
      () => ({ after: 700 }),
      { shape: { kind: 'constant', rate: 20 }, duration: 5 },
      { onCores: onCore, on: [0] },
    )
    expect(load.generatorCpu).toBeLessThan(0.9)
    expect(load.coresBusy).toBeGreaterThan(0.9)
    const evidence = { load, accounting: uncounted(load.accepted), exits: [], limitOf: () => null, untuned: false }
    const { reasons } = judge(evidence, { p95: 500, errors: 0.001, backlog: 0.05 })
    expect(reasons).toMatchObject([{ code: 'generator-behind', by: 'cores', own: expect.any(Number) }])
  } finally {
    other.kill('SIGKILL')
    await once(other, 'exit')
  }
})
