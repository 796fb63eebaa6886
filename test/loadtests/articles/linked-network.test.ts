import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../../loadtests/src/lib/await.ts'
import { nextLink } from '../../../loadtests/articles/linked-network.ts'
import { sweepScratch } from '../../../loadtests/src/targets/local/scratch.ts'
import { kill } from '../../support/kill.ts'

const support = join(import.meta.dirname, '../../support/balance')
/** Only root has a network of its own. */
const describeNetwork = process.getuid?.() === 0 ? describe : describe.skip

describeNetwork('a network with a link', () => {
  test('of a lab that was killed, the next run leaves no network', async () => {
    const owner = spawn(process.execPath, ['--no-warnings', join(support, 'owner.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [name] = (await once(owner.stdout, 'data')) as [Buffer]
    const link = `/sys/class/net/${name}o`
    expect(existsSync(link)).toBe(true)
    await kill(owner)
    expect(existsSync(link)).toBe(true)
    await sweepScratch()
    expect(await until(async () => !existsSync(link), { timeout: 10_000, every: 20 })).toBe(true)
  })
})

test('two links of one lab share no address', () => {
  const [one, other] = [nextLink(4711, 0), nextLink(4711, 1)]
  expect(new Set([one.inside, one.outside, other.inside, other.outside]).size).toBe(4)
})
