import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { knownFaults } from '../../loadtests/src/fault/faults.ts'
import { root } from '../support/command.ts'
import { random } from '../support/random.ts'
import { temporaryFolder } from '../support/temporary.ts'

/**
 * The lab is ended at random moments while it brings a plan in queue mode up and loads it. After SIGINT nothing of it
 * is left when it has ended; after SIGKILL nothing is left once the next lab has started. `make test-kills`, minutes;
 * with ENGINE=container the plan runs in containers of Podman.
 */

const engine = process.env.ENGINE ?? 'process'
const times = Number(process.env.TIMES ?? 10)
const next = random(20261120)
/** From before the first process to the middle of a step. */
const momentsOf = (count: number) => Array.from({ length: count }, () => Math.round(300 + next() * 40_000))
const folder = temporaryFolder()
// Where root runs the lab, PostgreSQL is another user’s and has to reach its own folder beside the lab’s.
chmodSync(folder, 0o711)
let run = 0

interface Lab {
  child: ChildProcess
  exited: Promise<unknown[]>
  said: { err: string }
  /** What the lab and all it starts have in their environment or their arguments. */
  mark: string
}

/** Everything that the lab starts is given a place below its own folder for temporary files. */
function startLab(mark: string, ...args: string[]): Lab {
  mkdirSync(mark, { recursive: true })
  const child = spawn(join(root, 'node_modules/.bin/node'), args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TMPDIR: mark },
  })
  const said = { err: '' }
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  return { child, exited: once(child, 'close'), said, mark }
}

const startCheck = (profile = 'queue-small', ...more: string[]) => {
  const mark = join(folder, `run-${run++}`)
  return startLab(
    mark,
    'loadtests/src/main.ts',
    'check',
    '--profile',
    profile,
    '--rate',
    '2',
    '--quick',
    '--repeat',
    '1',
    '--engine',
    engine,
    '--out',
    `${mark}-results`,
    ...more,
  )
}

async function nextStart(mark: string): Promise<void> {
  const script =
    "const { localTarget } = await import('./loadtests/src/targets/local/local.ts'); const { processGenerator "
    + "} = await import('./loadtests/src/load/process.ts'); await (await localTarget(processGenerator)).close()"
  await startLab(mark, '--no-warnings', '--input-type=module', '--eval', script).exited
}

interface Left {
  processes: string[]
  groups: string[]
  containers: string[]
  scratch: string[]
  /** The machine's ends of the networks of its plans. */
}

function left({ child, mark }: Lab): Left {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
  const folders = ['', 'cpu,cpuacct', 'cpuacct,cpu', 'cpu', 'memory'].map((controller) =>
    join('/sys/fs/cgroup', controller, 'n8n-tuned', String(child.pid)),
  )
  return {
    processes: pids
      .filter((pid) => [`/proc/${pid}/environ`, `/proc/${pid}/cmdline`].some((file) => reads(file).includes(mark)))
      .map((pid) => reads(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')),
    groups: folders.filter(existsSync),
    containers: engine === 'container' ? containersOf(child.pid!) : [],
    scratch: readdirSync(mark),
  }
}

/** Also those that Podman's storage has and Podman itself does not know of, and their control groups. */
function containersOf(lab: number): string[] {
  const { stdout } = spawnSync('podman', ['ps', '--all', '--external', '--format', '{{.Names}}'], { encoding: 'utf8' })
  const groups = spawnSync('find', ['/sys/fs/cgroup', '-type', 'd', '-name', 'libpod-*'], { encoding: 'utf8' }).stdout
  return [
    ...stdout.split('\n').filter((name) => name.startsWith(`n8n-tuned-${lab}-`)),
    ...groups.split('\n').filter(Boolean),
  ]
}

function reads(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const nothing: Left = { processes: [], groups: [], containers: [], scratch: [] }

test.each(momentsOf(2 * times))(
  'interrupted after %d ms it leaves nothing',
  async (moment) => {
    const lab = startCheck()
    await wait(moment)
    lab.child.kill('SIGINT')
    const [code, signal] = await lab.exited
    expect(left(lab)).toEqual(nothing)
    // Before the program has begun, Node itself ends it.
    if (signal === 'SIGINT' && lab.said.err === '') return
    expect(code).toBe(130)
    expect(
      lab.said.err.match(/^Interrupted(\.|: nothing was measured yet\.|: what was measured until now is kept\.)$/gm),
    ).toHaveLength(1)
    expect(lab.said.err).not.toMatch(/^\s+at /m)
    const results = `${lab.mark}-results`
    expect(existsSync(join(results, 'report.html'))).toBe(existsSync(join(results, 'run.ndjson')))
  },
  120_000,
)

test.each(momentsOf(times))(
  'killed after %d ms it leaves nothing that the next start does not remove',
  async (moment) => {
    const lab = startCheck()
    await wait(moment)
    lab.child.kill('SIGKILL')
    await lab.exited
    await nextStart(lab.mark)
    expect(left(lab)).toEqual(nothing)
  },
  120_000,
)

const lasting = [
  ['redis-frozen', 'SIGINT'],
  ['redis-frozen', 'SIGKILL'],
  ['redis-unreachable', 'SIGINT'],
  ['redis-unreachable', 'SIGKILL'],
] as const

test.each(lasting)(
  'in the middle of %s, ended by %s, it leaves nothing that the next start does not remove',
  async (fault, signal) => {
    const lab = startCheck('faults', '--fault', `${fault}=120s`)
    await says(lab, `${fault}: ${knownFaults[fault].does}`)
    lab.child.kill(signal)
    await lab.exited
    if (signal === 'SIGKILL') await nextStart(lab.mark)
    expect(left(lab)).toEqual(nothing)
  },
  300_000,
)

/** Resolves when the lab has said it, and rejects if it ends without. */
const says = ({ child }: Lab, text: string) =>
  new Promise<void>((resolve, reject) => {
    let said = ''
    child.stderr!.setEncoding('utf8').on('data', (more: string) => {
      said += more
      if (said.includes(text)) resolve()
    })
    child.on('exit', () => reject(new Error(`Expected "${text}", got:\n${said}`)))
  })
