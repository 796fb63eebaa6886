import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { until } from '../../../../loadtests/src/lib/await.ts'
import { remember } from '../../../../loadtests/src/secret/known.ts'
import { openLog } from '../../../../loadtests/src/targets/local/log.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const folder = temporaryFolder()
let count = 0

/** A log of a process that said this and ended. */
async function saying(...chunks: string[]) {
  const path = join(folder, `${count++}.log`)
  const log = openLog(path)
  const output = new PassThrough()
  log.follow(output)
  const end = once(output, 'end')
  for (const chunk of chunks) output.write(chunk)
  output.end()
  await end
  return { log, path }
}

test('its end is remembered, line by line', async () => {
  const { log } = await saying('one\ntwo\nthree\n')
  expect(log.tail()).toEqual(['one', 'two', 'three'])
  expect(log.tail(2)).toEqual(['two', 'three'])
})

test('a line may arrive in pieces, and its last needs no end', async () => {
  const { log } = await saying('on', 'e\ntw', 'o')
  expect(log.tail()).toEqual(['one', 'two'])
  expect(log.includes('two')).toBe(true)
})

test('a secret that the run was given is in neither, even if it comes in two pieces', async () => {
  remember('of-the-database')
  const { log, path } = await saying('login with of-the-', 'database failed\nagain: of-the-database')
  const kept = 'login with REDACTED failed\nagain: REDACTED'
  expect(log.tail()).toEqual(kept.split('\n'))
  log.close()
  expect(await until(async () => (await readFile(path, 'utf8')) === kept, { timeout: 5000, every: 10 })).toBe(true)
})

test('empty lines say nothing', async () => {
  expect((await saying('one\n\n  \ntwo\n')).log.tail()).toEqual(['one', 'two'])
})

test('the end of a long log is short, and only that is searched', async () => {
  const { log } = await saying(...Array.from({ length: 1000 }, (_, line) => `line ${line}\n`))
  expect(log.tail(1000).length).toBeLessThan(100)
  expect(log.tail(1)).toEqual(['line 999'])
  expect(log.includes('line 999')).toBe(true)
  expect(log.includes('line 1\n')).toBe(false)
})

test('all of it is in its file', async () => {
  const { log, path } = await saying(...Array.from({ length: 200 }, (_, line) => `line ${line}\n`))
  log.close()
  const whole = await until(async () => (await readFile(path, 'utf8')).endsWith('line 199\n'), {
    timeout: 5000,
    every: 5,
  })
  expect(whole).toBe(true)
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(201)
})

test('the end that belongs to an earlier start is forgotten', async () => {
  const { log } = await saying('JavaScript heap out of memory\npartial')
  log.mark()
  expect(log.tail()).toEqual([])
  expect(log.includes('heap')).toBe(false)
})
