import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { rm, writeFile } from 'node:fs/promises'
import { paths } from '../../../../../loadtests/src/lib/paths.ts'

/** Where clock.mjs looks. */
const file = '/tmp/n8n-tuned-clock'
const hour = 3_600_000

/** Says its clock and its durations for each line that it reads. */
const program = `
process.stdin.on('data', () => {
  const date = new Date()
  console.log(JSON.stringify({
    now: Date.now(),
    made: date.getTime(),
    isDate: date instanceof Date,
    year: new Date('2020-01-01T00:00:00Z').getUTCFullYear(),
    utc: Date.UTC(2020, 0),
    text: typeof Date(),
    since: performance.now(),
  }))
})`

let running: ReturnType<typeof spawn>
let lines: AsyncIterator<string>
const ask = async () => {
  running.stdin!.write('\n')
  return JSON.parse((await lines.next()).value)
}
/** Asks until the process has read the file. */
async function askUntil(isRight: (ahead: number) => boolean) {
  for (;;) {
    const told = await ask()
    if (isRight(told.now - Date.now())) return told
  }
}

beforeAll(() => {
  running = spawn(process.execPath, ['--import', paths.movableClock, '--eval', program], { stdio: 'pipe' })
  lines = createInterface({ input: running.stdout! })[Symbol.asyncIterator]()
})
afterAll(async () => {
  running.kill()
  await rm(file, { force: true })
})

test('a process has the machine’s clock until it is moved, and again when it is set back', async () => {
  const before = await ask()
  expect(Math.abs(before.now - Date.now())).toBeLessThan(hour / 2)

  await writeFile(file, `${hour}\n`)
  const ahead = await askUntil((by) => by > hour / 2)
  expect(ahead.made - Date.now()).toBeGreaterThan(hour / 2)
  expect(ahead.since - before.since).toBeLessThan(hour / 2)
  expect(ahead).toMatchObject({ isDate: true, year: 2020, utc: Date.UTC(2020, 0), text: 'string' })

  await rm(file)
  await askUntil((by) => Math.abs(by) < hour / 2)
})
