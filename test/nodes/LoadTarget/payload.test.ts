import { expect, test } from '@jest/globals'
import { onEachLine, runOne } from '../lines.ts'

onEachLine((core) => {
  test.each([1, 64, 1000])('makes exactly %i KiB of JSON out of records', async (payloadSize) => {
    const json = await runOne(core(), { operation: 'payload', payloadSize, payloadShape: 'records' })
    expect(Buffer.byteLength(JSON.stringify(json))).toBe(payloadSize * 1024)
    expect(json).toMatchObject({ operation: 'payload', kibibytes: payloadSize, shape: 'records' })
    // The filling text is what the records left over, no more.
    expect(String(json.text).length).toBeLessThan(1024)
  })

  test('the records are like an API’s', async () => {
    const { records } = (await runOne(core(), { operation: 'payload', payloadSize: 2 })) as { records: unknown[] }
    expect(records[0]).toEqual({
      id: 1,
      name: 'Customer 1',
      email: 'customer-1@example.com',
      active: true,
      amount: 37,
      createdAt: '2020-09-13T12:27:40.000Z',
    })
  })

  test('makes exactly as much out of one text', async () => {
    const json = await runOne(core(), { operation: 'payload', payloadSize: 64, payloadShape: 'text' })
    expect(Buffer.byteLength(JSON.stringify(json))).toBe(64 * 1024)
    expect(json.records).toEqual([])
    expect(String(json.text).length).toBeGreaterThan(64_000)
  })
})
