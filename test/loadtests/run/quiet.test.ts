import type { Counted, Counter } from '../../../loadtests/src/run/counter.ts'
import { workedOff } from '../../../loadtests/src/run/quiet.ts'
import type { Running } from '../../../loadtests/src/n8n/running.ts'

/** An n8n with these executions under way at one look after the other; the last number stays. */
function n8n(...looks: number[]) {
  let look = 0
  const count = async () =>
    ({
      executions: { started: 1, succeeded: 0, failed: 0 },
      underWay: looks[Math.min(look++, looks.length - 1)]!,
      requests: {},
      database: null,
      queue: null,
    }) as Counted
  const running = { processes: [{ name: 'main-0', metrics: 'http://127.0.0.1' }] } as unknown as Running
  return { counter: { count } as unknown as Counter, running, signal: new AbortController().signal }
}

const told = async (...looks: number[]) => {
  const left: number[] = []
  await workedOff(n8n(...looks), (each) => left.push(each), 0)
  return left
}

test('a step waits for as long as earlier executions become fewer', async () => {
  expect(await told(0)).toEqual([])
  expect(await told(30, 30, 20, 20, 10, 10, 0)).toEqual([30, 20, 10])
})

test('a step does not wait for what stays', async () => {
  expect(await told(30, 30, 20)).toEqual([30, 20])
})
