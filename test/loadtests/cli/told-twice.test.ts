import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../../loadtests/src/lib/await.ts'
import { root } from '../../support/command.ts'
import { plantSmallN8n, smallN8n } from '../../support/small-n8n/plant.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

/** Ctrl-C twice, in a real run with k6 under load: the lab ends at once, and so does all that it started. */

const folder = temporaryFolder()
const mark = join(folder, 'here')
mkdirSync(mark)
if (process.getuid?.() === 0) chmodSync(folder, 0o711)

const cache = join(folder, 'cache')
plantSmallN8n(cache)
const profile = await write(
  folder,
  'small.yaml',
  `name: small
question: What does it sustain?
base: { image: { tag: ${smallN8n} } }
workflows: [ping-webhook]
load: { shape: search, step: 60s, precision: 3%, timeout: 10s }
`,
)

/** What names the run’s own folder for temporary files. */
function processesOf(): string[] {
  return globSync('/proc/[0-9]*/').flatMap((process) => {
    const [environ, cmdline] = ['environ', 'cmdline'].map((name) => textOf(join(process, name)))
    return environ!.includes(mark) || cmdline!.includes(mark) ? [cmdline!] : []
  })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const started: ChildProcess[] = []
afterAll(() => started.forEach((child) => child.kill('SIGKILL')))

test('nothing is left: no process, no folder, no control group', async () => {
  const program = join(root, 'loadtests/src/main.ts')
  const args = ['check', '--profile', profile, '--rate', '5', '--repeat', '1', '--out', join(folder, 'results')]
  const child = spawn(join(root, 'node_modules/.bin/node'), [program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TMPDIR: mark, N8N_TUNED_CACHE: cache },
  })
  started.push(child)
  const exited = once(child, 'exit')
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const comes = async (there: () => boolean) => {
    if (!(await until(async () => there(), { timeout: 100_000, every: 50 }))) throw new Error(said)
  }
  await comes(() => said.includes('5/s') && processesOf().some((one) => one.includes('k6\0run')))
  child.kill('SIGINT')
  await comes(() => said.includes('Interrupted'))
  child.kill('SIGINT')
  expect(await exited).toEqual([1, null])
  expect(processesOf()).toEqual([])
  expect(readdirSync(mark)).toEqual([])
  const groups = globSync(`/sys/fs/cgroup/{,*/}n8n-tuned/${child.pid}`)
  expect(groups.filter(existsSync)).toEqual([])
}, 120_000)
