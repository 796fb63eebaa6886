import { barriers, type Barrier } from '../../../loadtests/src/run/barrier.ts'

/** What has happened once everything that can go on has gone on. */
async function after(told: string[]): Promise<string[]> {
  await new Promise(setImmediate)
  return told
}

test('none goes on before all have come, time after time', async () => {
  const [a, b] = barriers(2) as [Barrier, Barrier]
  const told: string[] = []
  const walk = async (name: string) => {
    for (const stage of [1, 2]) {
      await (name === 'a' ? a : b).waitForOthers()
      told.push(`${name}${stage}`)
    }
  }
  void walk('a')
  expect(await after(told)).toEqual([])
  void walk('b')
  expect((await after(told)).toSorted()).toEqual(['a1', 'a2', 'b1', 'b2'])
})

test('who leaves is waited for no more', async () => {
  const [a, b] = barriers(2)
  const told: string[] = []
  void a!.waitForOthers().then(() => told.push('went on'))
  expect(await after(told)).toEqual([])
  b!.leave()
  expect(await after(told)).toEqual(['went on'])
})

test('who is alone goes on at once', async () => {
  await barriers(1)[0]!.waitForOthers()
})
