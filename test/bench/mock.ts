/**
 * What does the mock for the outside cost at 500 calls a second? On a quiet machine.
 * node test/bench/mock.ts [ROUNDS]
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { textOf, until } from '../../loadtests/src/lib/await.ts'
import { paths } from '../../loadtests/src/lib/paths.ts'
import { freePorts } from '../../loadtests/src/lib/ports.ts'
import { ask } from '../support/outside/ask.ts'

const rate = 500
const seconds = 20
const folder = mkdtempSync(join(tmpdir(), 'n8n-tuned-bench-'))
const authority = join(folder, 'authority.pem')
const [port] = (await freePorts(1)) as [number]

const rule = { host: 'api.example.com', method: 'POST', path: '/orders', status: 200, headers: {}, body: { ok: true } }
const order = { rules: [{ ...rule, latency: { p50: 0, p95: 0 } }], record: null, authority }
writeFileSync(join(folder, 'outside.json'), JSON.stringify(order))
const mock = spawn(process.execPath, ['--no-warnings', paths.outside], {
  env: { OUTSIDE: join(folder, 'outside.json'), PORT: String(port) },
  stdio: 'inherit',
})
const tell = () => textOf(`http://127.0.0.1:${port}/`, 5000)
const cpuSeconds = async () => JSON.parse((await tell())!).cpu.seconds as number

/** Calls on a schedule, each by a connection of its own. Returns how many were answered with 200. */
async function drive(url: string, ca: string, duration: number): Promise<number> {
  const calls: Promise<boolean>[] = []
  const begun = performance.now()
  while (calls.length < rate * duration) {
    const due = ((performance.now() - begun) / 1000) * rate
    while (calls.length < Math.min(due, rate * duration)) {
      const call = ask(port, url, { method: 'POST', headers: { connection: 'close' }, body: '{"order":1}', ca })
      calls.push(call.then(({ status }) => status === 200).catch(() => false))
    }
    await wait(5)
  }
  return (await Promise.all(calls)).filter(Boolean).length
}

try {
  await until(async () => (await tell()) !== null, { timeout: 10_000, every: 50 })
  const ca = readFileSync(authority, 'utf8')
  console.log(
    `${rate} calls a second for ${seconds} s, on ${cpus()[0]!.model}, load average ${loadavg()[0]!.toFixed(2)}`,
  )
  for (const scheme of ['https', 'http']) {
    const url = `${scheme}://api.example.com/orders`
    await drive(url, ca, 3)
    for (let round = 0; round < Number(process.argv[2] ?? 5); round++) {
      const before = await cpuSeconds()
      const answered = await drive(url, ca, seconds)
      const cores = ((await cpuSeconds()) - before) / seconds
      console.log(`${scheme}: ${cores.toFixed(3)} of a core, ${answered} of ${rate * seconds} answered`)
    }
  }
} finally {
  mock.kill()
  rmSync(folder, { recursive: true })
}
