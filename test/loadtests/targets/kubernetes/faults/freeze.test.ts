import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { until } from '../../../../../loadtests/src/lib/await.ts'
import { killGroup } from '../../../../../loadtests/src/lib/processes.ts'
import { freezeUntilInputEnds } from '../../../../../loadtests/src/targets/kubernetes/faults/inside.ts'

const patient = { timeout: 10_000, every: 20 }

/** The first process of a container. It starts a child for each line that it reads: its name. */
function container(node = process.execPath) {
  const child = `"${node}" -e "setInterval(() => {}, 1000)" "$name" </dev/null & echo $!`
  const script = `while read -r name; do ${child}; done; wait`
  const first = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  return {
    pid: first.pid!,
    async start(name: string): Promise<number> {
      first.stdin.write(`${name}\n`)
      const [said] = await once(first.stdout, 'data')
      const runs = async () => readFileSync(`/proc/${Number(said)}/cmdline`, 'utf8').split('\0')[0] === node
      // It has its number before it is the program.
      expect(await until(runs, patient)).toBe(true)
      return Number(said)
    },
    end: () => killGroup(first.pid!),
  }
}

const isFrozen = (pid: number) => /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

/** Ends with its test, whatever that found. */
const scripts: ChildProcess[] = []
function run(script: string) {
  const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] })
  scripts.push(child)
  return child
}

let it: ReturnType<typeof container>
beforeEach(() => {
  it = container()
})
afterEach(() => {
  for (const script of scripts.splice(0)) script.kill()
  it.end()
})

test('n8n is stopped until the script’s input ends, and its neighbours are not', async () => {
  const n8n = await it.start('n8n worker')
  const others = [await it.start('@n8n/task-runner/dist/start.js'), await it.start('a proxy')]
  const script = run(freezeUntilInputEnds('n8n', it.pid))
  expect(String((await once(script.stdout, 'data'))[0])).toBe('begun\n')
  expect([n8n, ...others].map(isFrozen)).toEqual([true, false, false])

  script.stdin.end()
  await once(script, 'exit')
  expect(isFrozen(n8n)).toBe(false)
})

test.each(['n8n-tuned', 'n8n', 'my n8n folder'])(
  'a neighbour whose program lies in a folder %s goes on',
  async (folder) => {
    const parent = mkdtempSync(join(tmpdir(), 'freeze-'))
    symlinkSync(dirname(process.execPath), join(parent, folder))
    const pod = container(join(parent, folder, basename(process.execPath)))
    try {
      const n8n = await pod.start('/usr/local/bin/n8n')
      const neighbour = await pod.start('a proxy')
      const script = run(freezeUntilInputEnds('n8n', pod.pid))
      await once(script.stdout, 'data')
      expect([n8n, neighbour].map(isFrozen)).toEqual([true, false])
      script.stdin.end()
      await once(script, 'exit')
    } finally {
      pod.end()
      rmSync(parent, { recursive: true })
    }
  },
)

test('PostgreSQL is stopped with the connections that begin later', async () => {
  const early = await it.start('postgres: n8n n8n 10.1.2.3(4567) idle')
  const script = run(freezeUntilInputEnds('postgresql', it.pid))
  await once(script.stdout, 'data')
  const late = await it.start('postgres: n8n n8n 10.1.2.3(4568) idle')
  expect(await until(async () => isFrozen(early) && isFrozen(late), patient)).toBe(true)

  script.stdin.end()
  await once(script, 'exit')
  expect([early, late].map(isFrozen)).toEqual([false, false])
})

test('Redis is stopped', async () => {
  const redis = await it.start('/usr/bin/redis-server *:6379')
  const script = run(freezeUntilInputEnds('redis', it.pid))
  await once(script.stdout, 'data')
  expect(await until(async () => isFrozen(redis), patient)).toBe(true)

  script.stdin.end()
  await once(script, 'exit')
  expect(isFrozen(redis)).toBe(false)
})

test('a container whose first process is n8n itself says that nothing can be stopped', async () => {
  await it.start('@n8n/task-runner/dist/start.js')
  const script = run(freezeUntilInputEnds('n8n', it.pid))
  expect(await once(script, 'exit')).toEqual([3, null])
})
