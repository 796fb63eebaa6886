import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from '../../support/command.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** What docs/automate.md says of a cluster of 200 pods, at 10,000 requests a second, for an hour. */

const dir = join(temporaryFolder(), 'hour')
const gibibyte = 2 ** 30

/** Tells the most memory that the process had, as its last line of errors. */
const telling = `data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS*1024))`

async function node(...args: string[]): Promise<{ out: string; err: string }> {
  const child = spawn(process.execPath, ['--no-warnings', ...args], { cwd: root })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(err)
  return { out, err }
}

test('an hour of 200 pods is recorded in 150 MB with less than 1 GiB of memory', async () => {
  const { out } = await node('test/support/large-cluster.ts', dir)
  const { memory, looks, processes } = JSON.parse(out)
  expect({ looks, processes }).toEqual({ looks: 200 * 3600, processes: 200 })
  expect(memory).toBeLessThan(gibibyte)
  expect(statSync(join(dir, 'run.ndjson')).size).toBeLessThan(150e6)
}, 300_000)

test('its report is made with less than 1 GiB', async () => {
  const { out, err } = await node('--import', telling, 'loadtests/src/main.ts', 'report', dir)
  expect(Number(err.trim().split('\n').at(-1))).toBeLessThan(gibibyte)
  expect(out).toContain('10,000/s')
  const csv = await readFile(join(dir, 'samples.csv'), 'utf8')
  expect(csv.split('\n').length).toBe(200 * 3600 + 2)
  const summary = JSON.parse(await readFile(join(dir, 'summary.json'), 'utf8'))
  expect(summary.results[0].resources.length).toBe(200)
}, 300_000)
