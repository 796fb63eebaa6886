/**
 * Plays the lab's process in tests of leftovers. Puts a sleeping program into a box, notes it in its scratch folder,
 * prints where all of it is, and waits to be killed.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { until } from '../../loadtests/src/lib/await.ts'
import { chooseLimiter } from '../../loadtests/src/targets/local/limits/choose.ts'
import { makeScratch } from '../../loadtests/src/targets/local/scratch.ts'

const limiter = await chooseLimiter()
const scratch = await makeScratch()
const box = await limiter.box('sleeper', { cpu: 1, memory: 2 ** 28 })

function sleeper(argv: string[], env: Record<string, string>): number {
  const child = spawn(argv[0]!, argv.slice(1), { detached: true, stdio: 'ignore', env: { ...process.env, ...env } })
  scratch.track(child.pid!)
  return child.pid!
}

const inBox = sleeper(box.wrap(['sleep', '600']), { HOME: join(scratch.path, 'plan-0') })
// k6 runs outside the box, and writes its summary into the scratch folder.
const outside = sleeper(['sleep', '600'], { SUMMARY: join(scratch.path, 'summary.json') })
await until(async () => !limiter.enforced || (await box.pids())!.includes(inBox), { timeout: 5000, every: 10 })
// Told twice to stop, the lab goes like this. What it prints is the sign that it can be told.
process.on('SIGTERM', () => process.exit(1))
process.stdout.write(JSON.stringify({ inBox, outside, scratch: scratch.path }))
setInterval(() => {}, 1000)
