import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'
import { root } from '../support/command.ts'
import { startEndless } from '../support/endless/servers.ts'
import { random } from '../support/random.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** Signals at random moments of the verbs that start no n8n: each ends within two seconds, and leaves nothing. */

const folder = temporaryFolder()
const seed = Number(process.env.SIGNALS_SEED ?? Date.now() % 1e6)
const moments = 20
/** Milliseconds: the promise to whoever presses Ctrl-C. */
const promised = 2000

let silent: Awaited<ReturnType<typeof startEndless>>
beforeAll(async () => {
  silent = await startEndless('no answer')
})
afterAll(() => silent.stop())

const verbs: Record<string, () => string[]> = {
  size: () => ['size', '--rate', '30'],
  'size of a large rate': () => ['size', '--rate', '30000'],
  init: () => ['init', 'workflows', '--out', join(folder, `init-${Math.random()}`)],
  convert: () => [
    ...['convert', '--from', 'community', '--tag', '2.41.1'],
    'test/loadtests/convert/fixtures/community-minimal.yaml',
  ],
  list: () => ['list'],
  learn: () => ['learn', '--from', silent.url, '--out', join(folder, 'learned.yaml'), '--yes'],
  check: () => [
    ...['check', '--target', silent.url, '--workflow', 'ping-webhook', '--rate', '1', '--yes'],
    ...['--out', join(folder, `run-${Math.random()}`)],
  ],
}

const next = random(seed)
const cases = Array.from({ length: moments }, (_, index) => {
  const names = Object.keys(verbs)
  const signal = next() < 0.5 ? ('SIGINT' as const) : ('SIGTERM' as const)
  return [names[index % names.length]!, signal, Math.round(next() * 1500)] as const
})

test.each(cases)(`%s ends at %s after %d ms (SIGNALS_SEED=${seed})`, async (verb, signal, after) => {
  const own = join(folder, `tmp-${Math.random()}`)
  mkdirSync(own)
  const env = { ...process.env, TMPDIR: own, N8N_API_KEY: 'key' }
  const words = ['loadtests/src/main.ts', ...verbs[verb]!()]
  const child = spawn(join(root, 'node_modules/.bin/node'), words, { cwd: root, env, stdio: 'ignore' })
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  let signalled: number | undefined
  const timer = setTimeout(() => {
    signalled = performance.now()
    child.kill(signal)
  }, after)
  const [code, by] = await ended
  clearTimeout(timer)
  expect(readdirSync(own)).toEqual([])
  if (signalled === undefined) return
  expect(performance.now() - signalled).toBeLessThan(promised)
  // Node itself ends by the signal before the program listens; a command that was about to end has done so.
  const asked = by === signal || code === (signal === 'SIGINT' ? 130 : 143)
  expect(asked || code === 0).toBe(true)
})
