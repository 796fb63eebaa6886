import { inTurns, type Turns } from '../../../loadtests/src/run/turns.ts'

/** Lets everything that can go on go on. */
const settled = () => new Promise(setImmediate)

/** Takes so many turns, and leaves. */
async function walk(name: string, turns: Turns, often: number, told: string[]): Promise<void> {
  for (let taken = 0; taken < often; taken++) told.push(`${name}${await turns.take()}`)
  turns.leave()
}

test('one after the other, and back: A B, B A, A B', async () => {
  const told: string[] = []
  const [a, b] = inTurns(2)
  await Promise.all([walk('a', a!, 5, told), walk('b', b!, 5, told)])
  expect(told).toEqual(['a0', 'b0', 'a1', 'b1', 'b2', 'a2', 'a3', 'b3', 'b4', 'a4'])
})

test('none begins before all are up', async () => {
  const told: string[] = []
  const [a, b] = inTurns(2)
  void walk('a', a!, 2, told)
  await settled()
  expect(told).toEqual([])
  b!.leave()
  await settled()
  expect(told).toEqual(['a0', 'a1'])
})

test('one that leaves is waited for no more, whoever is next', async () => {
  const told: string[] = []
  const [a, b, c] = inTurns(3)
  await Promise.all([walk('a', a!, 3, told), walk('b', b!, 1, told), walk('c', c!, 3, told)])
  expect(told).toEqual(['a0', 'b0', 'c0', 'a1', 'c1', 'c2', 'a2'])
})

test('a turn lasts until its holder asks for the next one', async () => {
  const told: string[] = []
  const [a, b] = inTurns(2)
  void b!.take().then((turn) => told.push(`b${turn}`))
  await a!.take()
  await settled()
  expect(told).toEqual([])
  void a!.take()
  await settled()
  expect(told).toEqual(['b0'])
})

test('one alone goes on at once', async () => {
  const [only] = inTurns(1)
  expect([await only!.take(), await only!.take()]).toEqual([0, 1])
})
