import { keptHeapOf } from '../../../../../loadtests/src/targets/local/profiling/kept-heap.ts'
import { start } from './inspectable.ts'

const mebibyte = 2 ** 20
/** A million numbers in an array of objects: more than 20 MiB. */
const some = 'Array.from({ length: 1e6 }, (_, number) => ({ number }))'
const node = (program: string) => start(`${program}; setInterval(() => {}, 1000); console.log('ready')`)

test('what a process keeps counts', async () => {
  const { pid, address } = await node(`globalThis.kept = ${some}`)
  expect(await keptHeapOf(pid, address)).toBeGreaterThan(20 * mebibyte)
})

test('its garbage does not count, and it can be asked again', async () => {
  const { pid, address } = await node(`globalThis.kept = ${some}; globalThis.kept = null`)
  for (const _ of ['first', 'again']) expect(await keptHeapOf(pid, address)).toBeLessThan(10 * mebibyte)
})
