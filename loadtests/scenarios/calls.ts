/** What to call: one URL from the environment, or requests from a file, each as often as its weight says. */
import { SharedArray } from 'k6/data'
import type { Call, Calls, Row } from './request.ts'

const anything = { status: null, json: null, text: null }
const single = (): Call => ({
  workflow: 0,
  url: __ENV.URL!,
  method: __ENV.METHOD ?? 'GET',
  headers: {},
  body: null,
  weight: 1,
  expect: anything,
  table: null,
})

const file = __ENV.REQUESTS
const given = (): Calls => JSON.parse(open(file!))

/** Data that all clients share is parsed on each use, so with few requests every client keeps its own copy. */
const few = 50
const shared: Call[] = file ? new SharedArray('calls', () => given().calls) : [single()]
const calls = shared.length > few ? shared : [...shared]
const tables = Array.from(
  { length: Number(__ENV.TABLES ?? 0) },
  (_, index) => new SharedArray(`rows-${index}`, () => given().tables[index]!),
)

const sums: number[] = []
for (const { weight } of shared) sums.push((sums.at(-1) ?? 0) + weight)

/** Steps of the golden ratio spread the weights evenly at any moment; random numbers would come in clusters. */
export function callAt(iteration: number): Call {
  const left = ((iteration * 0.618033988749895) % 1) * sums.at(-1)!
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sums[middle]! > left) high = middle
    else low = middle + 1
  }
  return calls[low]!
}

/** One row after the other; after the last, the first again. */
export function rowAt(table: number | null, iteration: number): Row {
  const rows = table === null ? [] : tables[table]!
  return rows.length ? rows[iteration % rows.length]! : {}
}
