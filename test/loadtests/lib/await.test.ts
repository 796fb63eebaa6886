import { status, textOf, until } from '../../../loadtests/src/lib/await.ts'
import { startService, type Service } from '../../support/service.ts'

const patient = { timeout: 5000, every: 1 }

describe('until', () => {
  test('asks again while the answer is nothing or no', async () => {
    const answers = [undefined, false, 'yes']
    expect(await until(async () => answers.shift() as string | false | undefined, patient)).toBe('yes')
  })

  test('gives up when the time is over, having asked at least once', async () => {
    let asked = 0
    expect(await until(async () => (asked++, false), { timeout: 0, every: 1 })).toBeUndefined()
    expect(asked).toBe(1)
  })

  test('gives up when it is told to', async () => {
    const abort = new AbortController()
    let asked = 0
    const answer = until(async () => (++asked === 3 && abort.abort(), false), { ...patient, signal: abort.signal })
    expect(await answer).toBeUndefined()
    expect(asked).toBe(3)
  })

  test('hands on an error', async () => {
    await expect(until(() => Promise.reject(new Error('no')), patient)).rejects.toThrow('no')
  })
})

describe('the text of a page', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService((request) => ([{ status: 200 }, { status: 503 }] as const)[request - 1] ?? 'hang')
  })
  afterAll(() => service.close())

  test('is what it says, and nothing where it is not well, not in time, or not there', async () => {
    expect(await textOf(service.url, 5000)).toBe('{}')
    expect(await textOf(service.url, 5000)).toBeNull()
    expect(await textOf(service.url, 50)).toBeNull()
    expect(await textOf('http://127.0.0.1:1/', 5000)).toBeNull()
  })
})

describe('status', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService((request) => (request === 1 ? { status: 503 } : 'hang'))
  })
  afterAll(() => service.close())

  test('is what came back, whatever it says', async () => {
    expect(await status(service.url, { method: 'POST' })).toBe(503)
    expect(service.requests).toEqual(['POST /'])
  })

  test('is nothing without an answer in time, or without anybody to answer', async () => {
    expect(await status(service.url, {}, 50)).toBeUndefined()
    expect(await status('http://127.0.0.1:1/')).toBeUndefined()
  })
})
