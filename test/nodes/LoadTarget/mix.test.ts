import { expect, test } from '@jest/globals'
import { onEachLine } from '../lines.ts'

const share = (weight: number, operation: string, parameters = {}) => ({ weight, operation, ...parameters })
const requests = Array.from({ length: 600 }, (_, number) => ({ number }))

onEachLine((core) => {
  const mix = (shares: object[], more = {}) => ({
    parameters: { operation: 'mix', mixShares: { share: shares }, key: '={{ $json.number }}', ...more } as never,
    items: requests,
  })

  test('does each as often as its weight says, with parameters of its own, and the same again', async () => {
    const job = mix([
      share(6, 'wait', { waitDuration: 1, waitUnit: 'milliseconds' }),
      share(3, 'cpu', { cpuAmount: 'count', cpuCount: 7 }),
      share(1, 'payload', { payloadSize: 2 }),
      share(0, 'memory'),
    ])
    const { items } = await core().run(job)
    const operations = items!.map(({ json }) => json.operation)
    const share3 = (operation: string) => operations.filter((one) => one === operation).length / 600
    expect(share3('wait')).toBeCloseTo(0.6, 1)
    expect(share3('cpu')).toBeCloseTo(0.3, 1)
    expect(share3('payload')).toBeCloseTo(0.1, 1)
    expect(share3('memory')).toBe(0)
    for (const { json } of items!)
      expect(json).toMatchObject(
        json.operation === 'wait' ? { waitMs: 1 } : json.operation === 'cpu' ? { counted: 7 } : { kibibytes: 2 },
      )
    expect(items![5]!.pairedItem).toEqual({ item: 5 })

    expect((await core().run(job)).items!.map(({ json }) => json.operation)).toEqual(operations)
    expect(
      (await core().run(mix(job.parameters['mixShares']['share'], { seed: 2 }))).items!.map(
        ({ json }) => json.operation,
      ),
    ).not.toEqual(operations)
  })

  test('takes what a share does not say from the operation’s defaults', async () => {
    const { items } = await core().run({ ...mix([share(1, 'binary', { binarySize: 4 })]), items: [{}] })
    expect(items![0]).toMatchObject({ json: { operation: 'binary', readBytes: 4096 }, binary: { data: {} } })
  })

  test.each([
    ['no share', [], 'Expected at least one share with a weight above 0, got none'],
    ['only weights of 0', [share(0, 'wait')], 'Expected at least one share with a weight above 0, got none'],
    [
      'a negative weight',
      [share(1, 'wait'), share(-1, 'cpu')],
      'Expected Weight of share 2 to be a number from 0 to 1000000000, got -1',
    ],
    [
      'a mix in a mix',
      [share(1, 'mix')],
      'Expected Operation of share 1 to be one of cpu, fail, memory, binary, payload, wait, got "mix"',
    ],
    [
      'a wrong parameter of a share',
      [share(1, 'cpu', { cpuTime: -1 })],
      'Expected CPU Time to be a number from 0 to 3600000, got -1',
    ],
    [
      'too much in a share',
      [share(1, 'cpu', { cpuTime: 100_000 })],
      'Expected CPU Time to be a number from 0 to 60000 unless Allow Large Amounts is on, got 100000',
    ],
  ])('refuses %s', async (_, shares, message) => {
    const { error } = await core().run({ ...mix(shares), items: [{}] })
    expect(error).toMatchObject({ message, itemIndex: 0 })
  })
})
