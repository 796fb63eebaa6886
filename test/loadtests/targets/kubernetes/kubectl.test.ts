import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../../../loadtests/src/lib/await.ts'
import { isAlive } from '../../../../loadtests/src/lib/processes.ts'
import { spawnWithLab } from '../../../../loadtests/src/targets/kubernetes/kubectl.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const place = temporaryFolder()

test('a command ends with whoever keeps it, and so does its folder', async () => {
  const folder = join(place, "it's kept")
  mkdirSync(folder)
  const keeper = spawnWithLab(['sh', '-c', 'echo $$; exec sleep 60'], folder)
  const [said] = await once(keeper.stdout, 'data')
  const pid = Number(said)
  expect([isAlive(pid), existsSync(folder)]).toEqual([true, true])

  keeper.stdin.end()
  expect(await until(async () => !isAlive(pid) && !existsSync(folder), { timeout: 10_000, every: 20 })).toBe(true)
})
