import { explainProcess, withFunctions } from '../../../loadtests/src/judge/explain.ts'
import type { ProcessProfile } from '../../../loadtests/src/n8n/running.ts'

const frame = (id: number, functionName: string, url = '', lineNumber = 0) => ({
  id,
  callFrame: { functionName, url, lineNumber },
})

const profile = (nodes: ReturnType<typeof frame>[], samples: number[]): ProcessProfile => ({
  elapsed: 10,
  counted: 4,
  cpu: { nodes, samples },
})

const idle = frame(1, '(idle)')
const run = frame(2, 'run', '/n8n/node_modules/.pnpm/x/node_modules/n8n-core/run.js', 41)

test('functions are named with their package, file and line, the dearest first', () => {
  const query = frame(3, 'query', 'file:///n8n/node_modules/pg/client.js', 9)
  expect(explainProcess('main-0', profile([idle, run, query], [2, 3, 1, 2, 2]))).toEqual({
    process: 'main-0',
    elapsed: 10,
    cpu: 4,
    idle: 0.2,
    functions: [
      { name: 'run', where: 'n8n-core/run.js:42', share: 0.75 },
      { name: 'query', where: 'pg/client.js:10', share: 0.25 },
    ],
  })
})

test('a function that was called from several places counts once', () => {
  const again = { ...run, id: 7 }
  expect(explainProcess('main-0', profile([run, again], [2, 7])).functions).toMatchObject([{ name: 'run', share: 1 }])
})

test('ten functions are enough', () => {
  const many = Array.from({ length: 30 }, (_, index) => frame(index, `f${index}`))
  const { functions } = explainProcess(
    'main-0',
    profile(
      many,
      many.map(({ id }) => id),
    ),
  )
  expect(functions).toHaveLength(10)
})

test('a process that did nothing has no functions', () => {
  expect(explainProcess('main-0', profile([idle], [1, 1]))).toMatchObject({ idle: 1, functions: [] })
  expect(explainProcess('main-0', profile([], []))).toMatchObject({ idle: 1, functions: [] })
})

test('the areas of an earlier record stand in the place of functions', () => {
  const earlier = {
    process: 'main-0',
    elapsed: 10,
    cpu: 4,
    idle: 0.5,
    shares: [{ what: 'queue and Redis', share: 0.3 }],
  }
  expect(withFunctions(earlier).functions).toEqual([{ name: 'queue and Redis', where: '', share: 0.3 }])
})
