import { chownSync, existsSync } from 'node:fs'
import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { cgroupLimiter, pidsIn, type Hierarchy } from '../../../../../loadtests/src/targets/local/limits/cgroup.ts'
import { temporaryFolder, write } from '../../../../support/temporary.ts'

/** Which groups an earlier run of ours left, and which only look so. Plain folders stand for the kernel’s. */

const root = temporaryFolder()
const hierarchy: Hierarchy = {
  kind: 'cgroup v1',
  roots: [root],
  prepare: async () => {},
  limit: async () => {},
  cpuSeconds: async () => null,
  throttling: async () => null,
  oomKills: async () => 0,
  memoryPeak: async () => null,
}
const limiter = cgroupLimiter(hierarchy)
const gone = join(root, 'n8n-tuned/4100001')
const asRoot = process.getuid?.() === 0 ? test : test.skip

test('a group of a lab that is gone is removed', async () => {
  await mkdir(join(gone, 'plan-0-main-0'), { recursive: true })
  await limiter.sweep()
  expect(existsSync(gone)).toBe(false)
})

asRoot('one that another user made is left', async () => {
  await mkdir(gone, { recursive: true })
  chownSync(gone, 65534, 65534)
  await limiter.sweep()
  expect(existsSync(gone)).toBe(true)
  await rmdir(gone)
})

test.each(['0', 'self'])('one whose name is no process, such as %s, is left', async (name) => {
  const group = join(root, 'n8n-tuned', name)
  await mkdir(group, { recursive: true })
  await limiter.sweep()
  expect(existsSync(group)).toBe(true)
  await rmdir(group)
})

test('a process of another container, which the kernel calls 0, is nobody’s to end', async () => {
  await write(root, 'cgroup.procs', '0\n12\n0\n')
  expect(await pidsIn(root)).toEqual([12])
})
