import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../../../loadtests/src/lib/await.ts'
import { groupMembers } from '../../../../loadtests/src/lib/processes.ts'
import { runOnce, type ContainerOutcome } from '../../../../loadtests/src/targets/local/container.ts'
import { limiter } from '../../../support/limiter.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const folder = temporaryFolder()
const log = join(folder, 'once.log')
afterAll(() => limiter.close())

let group = 0
async function run(
  argv: string[],
  signal = new AbortController().signal,
  env: Record<string, string> = {},
): Promise<ContainerOutcome> {
  const box = await limiter.box('once', { cpu: null, memory: null })
  try {
    return await runOnce({ argv, env: { PATH: process.env.PATH!, ...env }, cwd: folder }, box, {
      log,
      signal,
      track: (pid) => (group = pid),
    })
  } finally {
    await box.remove()
  }
}

test('a command that ends well has the code 0, and its words', async () => {
  expect(await run(['sh', '-c', 'echo $WORD; pwd; echo aside >&2'], undefined, { WORD: 'hello' })).toEqual({
    code: 0,
    log: expect.arrayContaining(['hello', folder, 'aside']),
  })
})

test('a command that fails has its code, and its last words', async () => {
  expect(await run(['sh', '-c', 'echo no database >&2; exit 7'])).toEqual({ code: 7, log: ['no database'] })
})

test('a command that is killed has no code', async () => {
  expect((await run(['sh', '-c', 'kill -9 $$'])).code).toBeNull()
})

test('a command that is not there did not end well', async () => {
  expect((await run(['/nowhere/n8n'])).code).not.toBe(0)
})

test('all that is said is added to its log', async () => {
  await run(['sh', '-c', 'echo first run'])
  await run(['sh', '-c', 'echo second run'])
  const complete = await until(async () => /first run\n[\s\S]*second run\n/.test(await readFile(log, 'utf8')), {
    timeout: 5000,
    every: 5,
  })
  expect(complete).toBe(true)
})

test('a command is ended with its children when it is no longer wanted', async () => {
  const abort = new AbortController()
  group = 0
  const outcome = run(['sh', '-c', 'sleep 600 & sleep 600'], abort.signal)
  await until(async () => group > 0 && (await groupMembers(group)).length >= 2, { timeout: 5000, every: 5 })
  abort.abort()
  expect((await outcome).code).toBeNull()
  expect(await groupMembers(group)).toEqual([])
})
