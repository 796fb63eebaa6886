import { chmod, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { systemdLimiter } from '../../../../../loadtests/src/targets/local/limits/systemd.ts'
import { temporaryFolder, write } from '../../../../support/temporary.ts'

const folder = temporaryFolder()
const path = process.env.PATH
afterEach(() => void (process.env.PATH = path))

test('systemd is asked once where a box is, however often it is looked at', async () => {
  const asked = join(folder, 'asked')
  for (const [name, script] of [
    ['systemd-run', 'exit 0'],
    ['systemctl', `echo "$*" >> ${asked}; echo /ours`],
  ] as const) {
    await chmod(await write(folder, name, `#!/bin/sh\n${script}\n`), 0o755)
  }
  process.env.PATH = [folder, path].join(delimiter)
  const box = await (await systemdLimiter())!.box('main-0', { cpu: 1, memory: null })
  for (let second = 0; second < 5; second++) await Promise.all([box.pids(), box.cpuSeconds()])
  const shows = (await readFile(asked, 'utf8')).split('\n').filter((line) => line.includes('show'))
  // The first two looks are at the same moment.
  expect(shows.length).toBeLessThanOrEqual(2)
})
