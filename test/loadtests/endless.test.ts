import { join } from 'node:path'
import { commandWith } from '../support/command.ts'
import { endlessWays, startEndless } from '../support/endless/servers.ts'
import { temporaryFolder } from '../support/temporary.ts'

/**
 * The command as it is typed, against servers whose answers never end: it ends with one message, soon and in little
 * memory. The figure is the kernel’s: the most that the process ever had.
 */

const folder = temporaryFolder()
const most = { memory: 300 * 2 ** 20, seconds: 15 }

/** What a verb says of a server of this kind, and what it took. */
async function asked(way: string, words: (url: string) => string[]) {
  const { url, stop } = await startEndless(way)
  const begun = performance.now()
  // The process itself says at its end what it took.
  const script = join(import.meta.dirname, '../support/endless/tells-its-peak.cjs')
  const env = { N8N_API_KEY: 'key', NODE_OPTIONS: `--require=${script}` }
  const { exit, err, out } = await commandWith(env, ...words(url))
  stop()
  const seconds = (performance.now() - begun) / 1000
  const memory = Number(/^peak (\d+)$/m.exec(err)?.[1])
  return { exit, said: err.replace(/^peak .*\n/m, ''), out, seconds, memory }
}

const learning = (url: string) => ['learn', '--from', url, '--out', join(folder, 'learned.yaml'), '--yes']
const checking = (url: string) => [
  ...['check', '--target', url, '--workflow', 'ping-webhook', '--rate', '1', '--yes'],
  ...['--out', join(folder, 'run')],
]

const listsPages = /pages/
const cases = [
  ...endlessWays.map((way) => ['learn', way, learning] as const),
  ...endlessWays.filter((way) => !listsPages.test(way)).map((way) => ['check --target', way, checking] as const),
]

// Several at once, since most of them only wait.
const results = new Map<string, Awaited<ReturnType<typeof asked>>>()
beforeAll(async () => {
  const left = [...cases]
  const lane = async () => {
    for (let one = left.shift(); one; one = left.shift()) results.set(one[0] + one[1], await asked(one[1], one[2]))
  }
  await Promise.all([lane(), lane(), lane()])
}, 120_000)

test.each(cases)('%s ends by itself against a server of endless: %s', (verb, way) => {
  const { said, exit, memory, seconds } = results.get(verb + way)!
  expect(said).not.toContain('defect')
  expect(seconds).toBeLessThan(most.seconds)
  expect(memory).toBeLessThan(most.memory)
  if (way === 'pages of executions') return expect(exit).toBe(4)
  expect(said).toMatch(/^Expected .*127\.0\.0\.1.*got.*\nFix: /ms)
  expect(exit).toBe(2)
})
