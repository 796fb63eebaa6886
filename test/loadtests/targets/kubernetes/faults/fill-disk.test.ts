import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fillUntilInputEnds } from '../../../../../loadtests/src/targets/kubernetes/faults/inside.ts'

/** On a real small disk in memory. Only root can mount one: others skip that, by name. */
const ifRoot = process.getuid?.() === 0 ? test : test.skip

ifRoot('a disk has no room, and takes nothing back, until the script’s input ends', async () => {
  const disk = mkdtempSync(join(tmpdir(), 'n8n-tuned-disk-'))
  const run = promisify(execFile)
  const write = () => run('sh', ['-c', 'head -c 10 /dev/zero >more'], { cwd: disk })
  await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk])
  try {
    const script = spawn('sh', ['-c', fillUntilInputEnds(disk)], { stdio: ['pipe', 'pipe', 'ignore'] })
    expect(String((await once(script.stdout, 'data'))[0])).toBe('begun\n')
    await expect(write()).rejects.toThrow('No space left on device')

    script.stdin.end()
    await once(script, 'exit')
    await write()
  } finally {
    await run('umount', [disk])
    rmSync(disk, { recursive: true })
  }
})
