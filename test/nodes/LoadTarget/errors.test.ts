import { expect, test } from '@jest/globals'
import { onEachLine } from '../lines.ts'

const wrong: [string, Record<string, unknown>, string][] = [
  [
    'an unknown operation',
    { operation: 'sleep' },
    'Expected Operation to be one of cpu, fail, memory, binary, payload, mix, wait, got "sleep"',
  ],
  [
    'a duration that is no number',
    { operation: 'wait', waitDuration: '={{ "soon" }}' },
    'Expected Duration to be a number from 0 to 2147483, got "soon"',
  ],
  [
    'an empty duration',
    { operation: 'wait', waitDuration: '={{ "" }}' },
    'Expected Duration to be a number from 0 to 2147483, got ""',
  ],
  [
    'a negative duration',
    { operation: 'wait', waitDuration: -1 },
    'Expected Duration to be a number from 0 to 2147483, got -1',
  ],
  [
    'a duration beyond what a timer holds',
    { operation: 'wait', waitDuration: 2 ** 31, waitUnit: 'milliseconds' },
    'Expected Duration to be a number from 0 to 2147483647, got 2147483648',
  ],
  [
    'an unknown unit',
    { operation: 'wait', waitUnit: '={{ "hours" }}' },
    'Expected Unit to be one of milliseconds, seconds, got "hours"',
  ],
  [
    'a CPU time that is a list',
    { operation: 'cpu', cpuTime: '={{ [1, 2] }}' },
    'Expected CPU Time to be a number from 0 to 3600000, got [1,2]',
  ],
  [
    'a missing CPU time',
    { operation: 'cpu', cpuTime: '={{ $json.nothing }}' },
    'Expected CPU Time to be a number from 0 to 3600000, got nothing',
  ],
  [
    'an unknown amount',
    { operation: 'cpu', cpuAmount: '={{ "much" }}' },
    'Expected Amount Is to be one of time, count, got "much"',
  ],
  [
    'a count that is no whole number',
    { operation: 'cpu', cpuAmount: 'count', cpuCount: 1.5 },
    'Expected Count To to be a whole number from 0 to 1000000000000, got 1.5',
  ],
  [
    'a negative size of memory',
    { operation: 'memory', memorySize: -5 },
    'Expected Size to be a number from 0 to 65536, got -5',
  ],
  [
    'an unknown kind of memory',
    { operation: 'memory', memoryKind: '={{ "disk" }}' },
    'Expected Kind to be one of heap, buffers, got "disk"',
  ],
  [
    'a negative time to hold',
    { operation: 'memory', memorySize: 0, memoryTime: -1 },
    'Expected Hold For to be a number from 0 to 86400, got -1',
  ],
  [
    'an empty payload',
    { operation: 'payload', payloadSize: 0 },
    'Expected Size to be a whole number from 1 to 262144, got 0',
  ],
  [
    'a probability above 100 %',
    { operation: 'fail', failProbability: 101 },
    'Expected Probability to be a number from 0 to 100, got 101',
  ],
  [
    'an unknown way to fail',
    { operation: 'fail', failBy: '={{ "fire" }}' },
    'Expected Fail By to be one of error, slow, got "fire"',
  ],
  [
    'a negative delay',
    { operation: 'fail', failBy: 'slow', failSlow: -1 },
    'Expected Slow Answer After to be a number from 0 to 2147483647, got -1',
  ],
  [
    'a seed that is no number',
    { operation: 'fail', seed: '={{ "x" }}' },
    'Expected Seed to be a number from -1000000000000000 to 1000000000000000, got "x"',
  ],
  [
    'a negative size of a file',
    { operation: 'binary', binarySize: -1 },
    'Expected Size to be a whole number from 0 to 1048576, got -1',
  ],
  [
    'CPU time that is rather a slip',
    { operation: 'cpu', cpuTime: 60_001 },
    'Expected CPU Time to be a number from 0 to 60000 unless Allow Large Amounts is on, got 60001',
  ],
  [
    'a count that is rather a slip',
    { operation: 'cpu', cpuAmount: 'count', cpuCount: 1e12 },
    'Expected Count To to be a whole number from 0 to 100000000000 unless Allow Large Amounts is on, got 1000000000000',
  ],
  [
    'memory that is rather a slip',
    { operation: 'memory', memorySize: 1025 },
    'Expected Size to be a number from 0 to 1024 unless Allow Large Amounts is on, got 1025',
  ],
  [
    'a payload that is rather a slip',
    { operation: 'payload', payloadSize: 16_385 },
    'Expected Size to be a whole number from 1 to 16384 unless Allow Large Amounts is on, got 16385',
  ],
  [
    'a file that is rather a slip',
    { operation: 'binary', binarySize: 65_537 },
    'Expected Size to be a whole number from 0 to 65536 unless Allow Large Amounts is on, got 65537',
  ],
  [
    'an unknown shape',
    { operation: 'payload', payloadShape: '={{ "tree" }}' },
    'Expected Shape to be one of records, text, got "tree"',
  ],
]

onEachLine((core) => {
  test.each(wrong)('refuses %s', async (_, parameters, message) => {
    const { items, error } = await core().run({ parameters: parameters as never })
    expect(error).toEqual({ name: 'NodeOperationError', message, itemIndex: 0, node: 'Load Target' })
    expect(items).toBeNull()
  })

  test('does a large amount where it is allowed', async () => {
    const { items, error } = await core().run({
      parameters: { operation: 'memory', memorySize: 1100, memoryKind: 'buffers', memoryTime: 0, allowLarge: true },
    })
    expect(error).toBeUndefined()
    expect(items![0]!.json).toMatchObject({ heldMiB: 1100 })
  })

  test('names the item at fault', async () => {
    const { error } = await core().run({
      parameters: { operation: 'wait', waitDuration: '={{ $json.ms }}', waitUnit: 'milliseconds' },
      items: [{ ms: 1 }, { ms: 'x' }, { ms: 1 }],
    })
    expect(error).toMatchObject({ itemIndex: 1 })
  })

  test('goes on with the other items where the node is set to', async () => {
    const { items, error } = await core().run({
      parameters: { operation: 'wait', waitDuration: '={{ $json.ms }}', waitUnit: 'milliseconds' },
      items: [{ ms: 1 }, { ms: 'x' }, { ms: 2 }],
      settings: { continueOnFail: true },
    })
    expect(error).toBeUndefined()
    expect(items).toMatchObject([
      { json: { waitMs: 1 }, pairedItem: { item: 0 } },
      { json: { error: 'Expected Duration to be a number from 0 to 2147483647, got "x"' }, pairedItem: { item: 1 } },
      { json: { waitMs: 2 }, pairedItem: { item: 2 } },
    ])
  })
})
