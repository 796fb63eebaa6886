import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { until } from '../../../loadtests/src/lib/await.ts'
import { command, type Said } from '../../support/command.ts'
import { fileOf, leftOf, nothingLeft, pidsOf, says, startLab, type Lab } from '../../support/running-lab.ts'
import { plantSmallN8n, smallN8n } from '../../support/small-n8n/plant.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { readRecords } from '../../../loadtests/src/run/record-file.ts'

/** Whatever befalls a run: its exit code, one message, a report of what was measured, and nothing left of it. */

const mounted: string[] = []
afterAll(() => mounted.forEach((path) => spawnSync('umount', ['--lazy', path])))
const folder = temporaryFolder()
const together = test.concurrent
const cache = join(folder, 'cache')
plantSmallN8n(cache)
process.env.N8N_TUNED_CACHE = cache
const profile = join(folder, 'small.yaml')
writeFileSync(
  profile,
  `name: small
question: Does it end well?
base: { image: { tag: ${smallN8n} } }
variants: { one: {} }
workflows: [ping-webhook]
load: { shape: constant, rate: 5, duration: 5s, timeout: 5s }
slo: { p95: 5s, errors: 5% }
`,
)

const startCheck = (name: string, out: string, ...more: string[]): Lab =>
  startLab(join(folder, name), ['check', '--profile', profile, '--repeat', '1', '--out', out], more)

/** One sentence of what went wrong and one of what to do, and nothing of our insides. */
function expectOneMessage({ err }: Said, about: RegExp): void {
  expect(err.match(new RegExp(about, 'gm'))).toHaveLength(1)
  expect(err).not.toMatch(/^\s+at |please report it\.$/m)
}

const typesIn = async (dir: string) => new Set((await readRecords(dir)).map(({ type }) => type))

function mountDisk(name: string, size: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path])
  if (status !== 0) throw new Error(String(stderr))
  mounted.push(path)
  return path
}

// Only root may make a disk of its own.
const withDisks = process.getuid?.() === 0 ? together : test.skip

withDisks('a disk that is full before the run has ended ends it, and what was written stays readable', async () => {
  const disk = mountDisk('small', '8k')
  const out = join(disk, 'run')
  const lab = startCheck('full-record', out)
  const said = await lab.ended
  expect(said.exit).toBe(exitCodes.failure)
  expectOneMessage(said, /There is no room left for .+small\/run/)
  expect(leftOf(lab)).toEqual(nothingLeft)
  expect((await readRecords(out)).length).toBeGreaterThan(1)
  expect(readdirSync(out).filter((name) => name.endsWith('.tmp'))).toEqual([])
  spawnSync('mount', ['-o', 'remount,size=10m', disk])
  expect((await command('report', out)).exit).toBe(exitCodes.met)
})

withDisks('a report that does not fit is printed all the same', async () => {
  const out = join(mountDisk('smaller', '24k'), 'run')
  const lab = startCheck('full-report', out)
  const said = await lab.ended
  expect(said.exit).toBe(exitCodes.failure)
  expectOneMessage(said, /There is no room left for .+smaller\/run/)
  expect(said.out).toContain('ping-webhook  one')
  expect(await typesIn(out)).toContain('step')
})

withDisks('a disk without room for what the programs store says nothing about the server', async () => {
  mountDisk('no-scratch', '40k')
  const lab = startCheck('no-scratch', join(folder, 'no-scratch-run'))
  const said = await lab.ended
  expect(said.exit).toBe(exitCodes.failure)
  expectOneMessage(said, /There is no room left for .+no-scratch\//)
  expect(leftOf(lab).processes).toEqual([])
})

const k6sOf = ({ mark }: Lab) =>
  pidsOf(mark).filter((pid) => fileOf(pid, 'cmdline').includes('k6\0run') && fileOf(pid, 'comm').startsWith('k6'))

/** Kills k6 as often as it comes, from the first step of a cell on. */
async function killK6(lab: Lab, times: number): Promise<void> {
  await says(lab, 'ping-webhook on one: warming up')
  const killed = new Set<number>()
  await until(
    async () => {
      for (const pid of k6sOf(lab)
        .filter((pid) => !killed.has(pid))
        .slice(0, times - killed.size)) {
        process.kill(pid, 'SIGKILL')
        killed.add(pid)
      }
      return killed.size >= times || lab.child.exitCode !== null
    },
    { timeout: 120_000, every: 20 },
  )
}

together('a k6 that was killed is started again, and the record says so', async () => {
  const out = join(folder, 'lost-once-run')
  const lab = startCheck('lost-once', out)
  await killK6(lab, 1)
  const { out: said } = await lab.ended
  expect(said).toContain('ended from outside: SIGKILL. The step was driven again.')
  const types = await typesIn(out)
  expect([types.has('step'), types.has('cell-failed')]).toEqual([true, false])
  expect(leftOf(lab)).toEqual(nothingLeft)
})

together('a k6 that is killed each time makes the measurement invalid, with a report', async () => {
  const out = join(folder, 'lost-run')
  const lab = startCheck('each-time-lost', out)
  await killK6(lab, Infinity)
  const said = await lab.ended
  expect(said.exit).toBe(exitCodes.invalid)
  expect(said.err).toContain('Expected k6 to finish its step, but it was ended from outside: SIGKILL.')
  expect(said.err).not.toMatch(/^\s+at /m)
  expect(readdirSync(out)).toContain('report.html')
  expect(await readRecords(out)).toContainEqual(
    expect.objectContaining({ type: 'cell-failed', code: 'generator-lost' }),
  )
  expect(leftOf(lab)).toEqual(nothingLeft)
})

const plants = {
  'an exception in a timer': `throw new TypeError('planted')`,
  'a promise that nobody waits for': `Promise.reject(new TypeError('planted'))`,
}

together.each(Object.entries(plants))('%s takes the run down, as a defect of ours', async (name, plant) => {
  const out = join(folder, `${name}-run`)
  const script = `
    import { existsSync } from 'node:fs'
    const timer = setInterval(() => {
      if (!existsSync(${JSON.stringify(join(out, 'logs'))})) return
      clearInterval(timer)
      ${plant}
    }, 20)`
  const lab = startCheck(name, out, `--import=data:text/javascript,${encodeURIComponent(script)}`)
  const said = await lab.ended
  expect(said.exit).toBe(exitCodes.failure)
  expectOneMessage(said, /n8n-tuned itself failed: planted\./)
  expect(said.err).toContain('This is a defect: please report it, with the file ')
  expect(readFileSync(join(out, 'defect.txt'), 'utf8')).toMatch(/^TypeError: planted\n\s+at /)
  expect((await readRecords(out)).at(-1)).toMatchObject({ type: 'end', outcome: 'failed' })
  expect(leftOf(lab)).toEqual(nothingLeft)
})

const moments = ['Does it end well?', 'Calibrating', 'starting', 'warming up', 'ping-webhook on one: 5/s', 'holds']

together.each(moments)('interrupted at "%s" it says so once and leaves nothing', async (moment) => {
  const name = `interrupted-${moments.indexOf(moment)}`
  const out = join(folder, `${name}-run`)
  const lab = startCheck(name, out)
  await says(lab, moment)
  lab.child.kill('SIGINT')
  const said = await lab.ended
  expect(said.exit).toBe(130)
  expectOneMessage(said, /^Interrupted: (what was measured until now is kept|nothing was measured yet)\.$/m)
  expect(leftOf(lab)).toEqual(nothingLeft)
  expect(existsSync(join(out, 'report.html'))).toBe(existsSync(join(out, 'run.ndjson')))
})

together('interrupted twice under load, it ends at once, and so does all that it started', async () => {
  const lab = startCheck('twice', join(folder, 'twice-run'))
  const exited = once(lab.child, 'exit')
  await says(lab, 'ping-webhook on one: 5/s')
  await until(async () => k6sOf(lab).length > 0, { timeout: 100_000, every: 50 })
  lab.child.kill('SIGINT')
  await says(lab, 'Interrupted')
  lab.child.kill('SIGINT')
  expect(await exited).toEqual([130, null])
  expect(leftOf(lab)).toEqual(nothingLeft)
  expect((await lab.ended).err).toContain('Ended at once.')
})

together('interrupted before the run began, it leaves no folder of one', async () => {
  const out = join(folder, 'early-run')
  const script = `
    const timer = setInterval(() => {
      if (process.listenerCount('SIGINT') === 0) return
      clearInterval(timer)
      process.kill(process.pid, 'SIGINT')
    }, 1)`
  const lab = startCheck('early', out, `--import=data:text/javascript,${encodeURIComponent(script)}`)
  expect(await lab.ended).toMatchObject({ exit: 130, out: '', err: '\nInterrupted.\n' })
  expect(existsSync(out)).toBe(false)
  expect(leftOf(lab)).toEqual(nothingLeft)
})
