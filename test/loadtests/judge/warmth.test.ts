import { coldRounds, isGettingFaster, isWarm, type FullRound } from '../../../loadtests/src/judge/warmth.ts'

const rounds = (each: number[], executed = 60): FullRound[] => each.map((one) => ({ executed, each: one }))
/** As V8 compiles n8n. */
const compiling = [0.133, 0.111, 0.104, 0.097, 0.092, 0.089]
const compiled = [0.086, 0.085, 0.087, 0.084, 0.086, 0.085]

test('an n8n that is still compiled gets faster, and is not warm', () => {
  expect(isGettingFaster(rounds(compiling))).toBe(true)
  expect(isWarm(rounds(compiling))).toBe(false)
})

test('it is warm once an execution takes no less than before', () => {
  expect(isWarm(rounds([...compiling, ...compiled]))).toBe(true)
})

test('a handful of executions warms nothing up, however steady they are', () => {
  expect(isWarm(rounds(compiled, 12))).toBe(false)
})

test('a machine whose pace moves a little does not make it cold', () => {
  expect(isGettingFaster(rounds([0.088, 0.09, 0.086, 0.085, 0.084, 0.087]))).toBe(false)
})

test('the cold beginning is left out, and no more than half of all', () => {
  expect(coldRounds(rounds([...compiling, ...compiled]))).toBe(4)
  expect(coldRounds(rounds([0.4, 0.3, 0.2, 0.1]))).toBe(2)
  expect(coldRounds(rounds(compiled))).toBe(0)
})

test('rounds whose CPU nobody saw are neither cold nor getting faster', () => {
  const unseen = Array.from({ length: 6 }, () => ({ executed: 60, each: null }))
  expect(coldRounds(unseen)).toBe(0)
  expect(isWarm(unseen)).toBe(true)
})
