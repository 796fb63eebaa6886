import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mountOwnDisk } from '../../../../../loadtests/src/targets/local/faults.ts'
import type { OwnDisk } from '../../../../../loadtests/src/targets/local/pod.ts'
import { temporaryFolder } from '../../../../support/temporary.ts'

/** A real disk in memory. Only root can mount one: others skip that, by name. */

const ifRoot = process.getuid?.() === 0 ? describe : describe.skip
const folder = temporaryFolder()

ifRoot('a disk of its own', () => {
  let holder: ChildProcess
  let disk: OwnDisk
  beforeAll(async () => {
    await writeFile(join(folder, 'before'), 'there already')
    holder = spawn('unshare', ['--mount', 'sh', '-c', 'echo up && exec sleep infinity'])
    await once(holder.stdout!, 'data')
    disk = await mountOwnDisk(folder, holder.pid!)
  })
  afterAll(() => void holder.kill('SIGKILL'))

  const inside = async (script: string) => {
    const [command, ...args] = disk.enter(['sh', '-c', script], folder)
    return (await promisify(execFile)(command!, args)).stdout.trim()
  }

  test('holds what was in the folder, which is where its programs begin', async () => {
    expect(await inside('pwd; cat before')).toBe(`${folder}\nthere already`)
  })

  test('is seen by nobody outside', async () => {
    await inside('echo more > more')
    expect(await readdir(folder)).toEqual(['before'])
    expect(await readFile(join(folder, 'before'), 'utf8')).toBe('there already')
  })

  test('has no room while it is full, keeps what is on it, and has room again', async () => {
    const end = await disk.fill()
    await expect(inside('cp before much')).rejects.toThrow('No space left on device')
    expect(await inside('cat before')).toBe('there already')
    await end()
    expect(await inside('cp before much; cat much')).toBe('there already')
  })
})
