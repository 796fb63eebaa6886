import { join } from 'node:path'
import type { Said } from '../support/command.ts'
import { inProcess } from '../support/in-process.ts'
import { write } from '../support/temporary.ts'
import { cell, end, run, sample, step, T0 } from './fixtures/records.ts'
import { folder, good, expectUsage, line } from './fixtures/mistakes.ts'

let count = 0

/** A check with a profile in which one thing was changed. */
async function checking(from: string, to: string): Promise<Said & { profile: string }> {
  const profile = await write(folder, `profile-${count++}.yaml`, good.replace(from, to))
  return { profile, ...(await inProcess('check', '--profile', profile, '--out', join(folder, 'never'))) }
}

test.each([
  [
    'an unknown key',
    'question:',
    'speed: 3\nquestion:',
    ':2: Expected a profile without the key "speed", got it.',
    'Fix: Remove it or correct its spelling',
  ],
  ['a wrong type', 'vus: 8', 'vus: many', ':5: load.vus: Expected a number, got "many".', 'Fix: Correct load.vus'],
  [
    'an unknown workflow',
    'ping-webhook',
    'pong-webhook',
    ':4: Expected workflows to name a bundled workflow, a JSON file or a folder of them, got "pong-webhook".',
    'Fix: Did you mean ping-webhook?',
  ],
  [
    'a value that the chart does not know',
    '{ image:',
    '{ wings: 2, image:',
    ':3: These values are refused.\nwings: there is no such value.',
    'Fix: Change the value it names',
  ],
  [
    'a value that the chart refuses',
    '{ tag: 2.41.1 } }',
    '{ tag: 2.41.1 }, executions: { process: own } }',
    ':3: These values are refused.\nexecutions.process: Expected ',
    'Fix: Change the value it names',
  ],
  [
    'a syntax that is none',
    '[ping-webhook]',
    '[ping-webhook',
    ':5: Expected YAML, got: ',
    'Fix: Correct the syntax at that line.',
  ],
])(
  'a mistake ends with exit 2, and what to do: %s in a profile, at its file and line',
  async (_, from, to, said, fix) => {
    const result = await checking(from, to)
    expectUsage(result)
    expect(result.err).toContain(`${result.profile}${said}`)
    expect(result.err).toContain(fix)
  },
)

test('a mistake ends with exit 2, and what to do: going on with a run that asked something else', async () => {
  const dir = join(folder, 'other')
  await write(dir, 'run.ndjson', `${JSON.stringify(run())}\n`)
  const result = await inProcess('check', '--resume', dir)
  expectUsage(result)
  expect(result.err).toContain(
    `Expected --resume to name a run of this same experiment, got ${dir}, which asked something else.`,
  )
})

test('a mistake ends with exit 2, and what to do: sizing without a rate, and without a price', async () => {
  const rateless = await inProcess('size', '--profile', 'check', '--out', join(folder, 'never'))
  expectUsage(rateless)
  expect(rateless.err).toContain('Expected a rate to size for, got none: the load of check is not constant.')
  const priceless = await inProcess(
    'size',
    '--profile',
    'check',
    '--rate',
    '5',
    '--set',
    'main.resources.limits.cpu=null',
    '--out',
    join(folder, 'never'),
  )
  expectUsage(priceless)
  expect(priceless.err).toContain(
    'Expected CPU and memory limits for every container, since they make the price, got none for some of check.',
  )
})

test('a mistake ends with exit 2, and what to do: tuning what has variants, or nothing to leave out', async () => {
  const several = await inProcess('tune', '--profile', 'quick', '--out', join(folder, 'never'))
  expectUsage(several)
  expect(several.err).toContain('Expected a profile with neither variants nor matrix, got none of it in quick.')
  const untuned = await inProcess('tune', '--set', 'tuning.tier=n8n-defaults', '--out', join(folder, 'never'))
  expectUsage(untuned)
  expect(untuned.err).toContain(
    'Expected values whose tier has settings or patches, got none of it in the tier n8n-defaults.',
  )
  const slow = await inProcess('tune', '--rate', '0', '--out', join(folder, 'never'))
  expectUsage(slow)
  expect(slow.err).toContain('Expected a number above 0, got "0".')
  const idle = await inProcess('tune', '--setting', 'keepFinishedJobs', '--out', join(folder, 'never'))
  expectUsage(idle)
  expect(idle.err).toContain(
    'Expected a setting or patch that does something with these values (tier patched), got '
      + 'keepFinishedJobs.\nFix: Those that do: ',
  )
})

test.each([
  ['a bound that is none', ['--bound', 'speed=1%'], 'Expected capacity=8%, memory=15% or cpu=8%, got "speed=1%".'],
  [
    'a bound of CPU without a rate',
    ['--bound', 'cpu=8%'],
    '--bound: Expected capacity or memory, got cpu.\nFix: The comparison of CPU a request needs one rate: add --rate.',
  ],
  [
    'a bound of capacity at a rate',
    ['--rate', '10', '--bound', 'capacity=8%'],
    '--bound: Expected cpu or memory, got capacity.',
  ],
  ['one alone side by side', ['--rate', '10'], '--rate: Expected two variants or more to compare, got only upgrade.'],
  [
    'an earlier run side by side',
    ['--rate', '10', '--against', 'results/before'],
    "option '--rate <requests/s>' cannot be used with option '--against <dir>'",
  ],
  [
    'a rate that is needed, side by side',
    ['--rate', '10', '--need', '10'],
    "option '--need <requests/s>' cannot be used with option '--rate <requests/s>'",
  ],
  ['an earlier run that is none', ['--against', 'docs'], 'Expected docs to hold a run.ndjson, found none.'],
  [
    'two variants of one name',
    ['--tag', '2.41.1', '--tag', '2.41.1'],
    'Expected variants of different names, got two of "2.41.1".',
  ],
  [
    'values that are not there',
    ['--with', 'nowhere.yaml'],
    'nowhere.yaml: Expected a readable YAML file, got: none of that name.',
  ],
  ['a version that there is not', ['--tag', 'newest'], 'These values are refused.'],
])('a mistake ends with exit 2, and what to do: comparing with %s', async (_, words, said) => {
  const result = await inProcess('compare', '--profile', 'upgrade', ...words, '--out', join(folder, 'never'))
  expectUsage(result)
  expect(result.err).toContain(said)
})

test('report says what the gate says, of one run no more than that it is unsure', async () => {
  const dir = join(folder, 'gate')
  const earlier = {
    id: 'before',
    calibration: null,
    results: [{ variant: 'tuned', workflow: 'ping-webhook', cell: {}, capacities: [80], peaks: [100 * 2 ** 20] }],
  }
  const gate = { type: 'gate', at: T0, bounds: { capacity: 0.08, memory: 0.15 }, earlier }
  await write(dir, 'run.ndjson', [run(), gate, cell(0), sample(0, T0), step(0, 50), end()].map(line).join('\n'))
  const { out } = await inProcess('report', dir)
  expect(out).toContain('Against before:\n  unsure: ping-webhook, tuned: capacity 50/s, was 80/s (−37 %, one run)')
  expect(out).toContain('  unsure: ping-webhook, tuned: memory 500 MiB, was 100 MiB (+400 %, one run)')
})
