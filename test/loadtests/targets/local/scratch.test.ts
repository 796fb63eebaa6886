import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { until } from '../../../../loadtests/src/lib/await.ts'
import { groupMembers, isAlive, startOf } from '../../../../loadtests/src/lib/processes.ts'
import { openNote, readLeftNotes } from '../../../../loadtests/src/targets/local/run-note.ts'
import { makeScratch, sweepScratch } from '../../../../loadtests/src/targets/local/scratch.ts'
import { isRunning, startOwner } from '../../../support/leftovers.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

/** A number that no process has: of an owner that is gone. */
const gone = Array.from({ length: 1000 }, (_, index) => 4_100_000 + index).find((pid) => !isAlive(pid))!
const place = temporaryFolder()
// The owners of these tests note themselves where every lab of this user does.
const noteOf = (folder: string) => readLeftNotes().find(({ folders }) => folders.some((one) => one.folder === folder))

const sleeper = (env: Record<string, string> = {}) =>
  spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env: { ...process.env, ...env } })
const children: ReturnType<typeof sleeper>[] = []
const sleeping = (env?: Record<string, string>) => {
  const child = sleeper(env)
  children.push(child)
  return child.pid!
}
afterAll(() => children.forEach((child) => child.kill('SIGKILL')))

const asRoot = process.getuid?.() === 0 ? test : test.skip

test('each scratch folder is made anew, for its owner alone, and goes with it', async () => {
  const [one, other] = [await makeScratch(place), await makeScratch(place)]
  expect(one.path).not.toBe(other.path)
  expect((await stat(one.path)).mode & 0o7777).toBe(0o700)
  await one.remove()
  expect([existsSync(one.path), existsSync(other.path)]).toEqual([false, true])
  await other.remove()
})

asRoot('another user’s folder is beside it, that user’s alone, and goes with it, too', async () => {
  const scratch = await makeScratch(place)
  const theirs = await scratch.folderOf({ uid: 65534, gid: 65534 })
  const { uid, mode } = await stat(theirs)
  expect([dirname(theirs), uid, mode & 0o7777]).toEqual([place, 65534, 0o700])
  await scratch.remove()
  expect(existsSync(theirs)).toBe(false)
})

describe('without data of databases it is in the folder of this login', () => {
  const login = process.env.XDG_RUNTIME_DIR
  afterEach(() => {
    if (login === undefined) delete process.env.XDG_RUNTIME_DIR
    else process.env.XDG_RUNTIME_DIR = login
  })

  test.each([
    ['if nobody else enters that', 0o700, true],
    ['but not if others may', 0o755, false],
  ])('%s', async (_, mode, taken) => {
    process.env.XDG_RUNTIME_DIR = join(place, `login-${mode}`)
    await mkdir(process.env.XDG_RUNTIME_DIR, { mode })
    const scratch = await makeScratch()
    expect(dirname(scratch.path)).toBe(taken ? process.env.XDG_RUNTIME_DIR : tmpdir())
    await scratch.remove()
  })
})

test('what is tracked is noted at once', async () => {
  const scratch = await makeScratch(place, gone)
  const pid = sleeping()
  scratch.track(pid)
  scratch.labelFor('podman')
  expect(noteOf(scratch.path)).toMatchObject({
    owner: { owner: gone },
    groups: [{ group: pid, started: startOf(pid) }],
    containers: [{ containers: 'podman', label: `n8n-tuned=${scratch.path}` }],
  })
  await scratch.remove()
  expect(noteOf(scratch.path)).toBeUndefined()
})

test('an owner that has no time to end things in order takes what it started with it, and its folder', async () => {
  const owner = await startOwner()
  await owner.exit()
  const left = async () => (await isRunning(owner.inBox)) || (await isRunning(owner.outside))
  expect(await until(async () => !(await left()), { timeout: 5000, every: 20 })).toBe(true)
  expect(existsSync(owner.scratch)).toBe(false)
})

describe('of an owner that was killed, the next run', () => {
  test('ends every process and removes the folder; of one that lives it leaves both', async () => {
    const owner = await startOwner()
    await sweepScratch()
    expect([await isRunning(owner.inBox), await isRunning(owner.outside), existsSync(owner.scratch)]).toEqual([
      true,
      true,
      true,
    ])
    await owner.kill()
    await sweepScratch()
    expect([await isRunning(owner.inBox), await isRunning(owner.outside), existsSync(owner.scratch)]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('leaves a process of somebody else’s that has the number now', async () => {
    const scratch = await makeScratch(place, gone)
    const theirs = sleeping({ HOME: scratch.path })
    noteFor(scratch.path).add({ group: theirs, started: startOf(theirs)! - 1 })
    await sweepScratch()
    expect(await isRunning(theirs)).toBe(true)
    expect(existsSync(scratch.path)).toBe(false)
  })

  test('leaves a process that does not name the folder', async () => {
    const scratch = await makeScratch(place, gone)
    const theirs = sleeping()
    scratch.track(theirs)
    await sweepScratch()
    expect(await isRunning(theirs)).toBe(true)
  })

  test('ends what is left of a group whose leader is gone, with what that started in groups of their own', async () => {
    const scratch = await makeScratch(place, gone)
    const leader = spawn('sh', ['-c', 'sh -c "setsid sleep 600 & wait" & exit'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, HOME: `${scratch.path}/plan-0` },
    })
    scratch.track(leader.pid!)
    await new Promise((resolve) => leader.once('exit', resolve))
    const apart = async () => (await childrenOf((await groupMembers(leader.pid!))[0]))[0]
    const sleeps = await until(apart, { timeout: 5000, every: 10 })
    await sweepScratch()
    expect([await groupMembers(leader.pid!), await isRunning(sleeps!)]).toEqual([[], false])
  })

  test('minds no note of a process that ended long ago', async () => {
    const scratch = await makeScratch(place, gone)
    noteFor(scratch.path).add({ group: gone, started: 12 })
    await sweepScratch()
    expect(existsSync(scratch.path)).toBe(false)
  })

  test('reads past half a line, and removes no folder that the lab did not name so', async () => {
    const mine = join(place, 'mine')
    await mkdir(mine)
    const scratch = await makeScratch(place, gone)
    const { file } = noteOf(scratch.path)!
    await writeFile(file, `{"folder":"${place}\n{"folder":"${mine}","uid":${process.getuid!()}}\n`, { flag: 'a' })
    await sweepScratch()
    expect([existsSync(scratch.path), existsSync(mine), existsSync(file)]).toEqual([false, true, false])
  })
})

/** A note of its own for the folder. */
function noteFor(folder: string) {
  const note = openNote(gone)
  note.add({ folder, uid: process.getuid!() })
  return note
}

async function childrenOf(pid: number | undefined): Promise<number[]> {
  const text = pid === undefined ? '' : await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}
