import { join } from 'node:path'
import { status, until } from '../../../../loadtests/src/lib/await.ts'
import { keepOpen } from '../../../../loadtests/src/targets/kubernetes/reach.ts'
import { temporaryFolder, write } from '../../../support/temporary.ts'

const place = temporaryFolder()

/** Says where it listens as kubectl does, and ends with the first request, as kubectl ends with the pod. */
const once = await write(
  place,
  'once.mjs',
  `import { createServer } from 'node:http'
const server = createServer((_, response) => response.end(() => process.exit()))
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () =>
  console.log('Forwarding from 127.0.0.1:' + server.address().port + ' -> 6379'))
`,
)

test('a forward whose pod is replaced leads to the next one at the same port', async () => {
  const opened = await keepOpen((local) => [process.execPath, once, ...(local ? [String(local)] : [])])
  const answers = () => status(`http://127.0.0.1:${opened!.port}`)
  const patient = { timeout: 20_000, every: 50 }
  expect(await answers()).toBe(200)
  expect(await until(answers, patient)).toBe(200)
  opened!.close()
  expect(await until(async () => (await answers()) === undefined, patient)).toBe(true)
})

test('a forward that the cluster refuses is none', async () => {
  expect(await keepOpen(() => [process.execPath, join(place, 'missing.mjs')])).toBeNull()
})
