import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { noLawInWords, scalingInWords } from '../../../loadtests/src/report/scaling-words.ts'
import { workersRun } from '../fixtures/runs.ts'

const { scaling } = summarise(workersRun())

test('it tells what one sustains, what one more would, and how far it is off', () => {
  expect(scalingInWords(scaling[0]!)).toMatch(
    new RegExp(
      [
        String.raw`^ping-webhook, tuned \(worker\.resources\.limits\.cpu=200m\): one replica sustains [\d.]+/s,`,
        String.raw`5 would sustain [\d.]+/s to [\d.]+/s; .+`,
        String.raw`\(worker\.replicas; the law is off by [\d.]+ % at most\)\.$`,
      ].join(' '),
    ),
  )
})

test('where no law fits, it tells why', () => {
  expect(scalingInWords(scaling[1]!)).toMatch(/: no scaling law\. Expected capacities within 10 % of the law, got \d /)
  expect(noLawInWords({ code: 'too-few-sizes', sizes: 2, least: 3 })).toBe(
    'Expected capacities of at least 3 numbers of replicas, got 2.',
  )
  expect(noLawInWords({ code: 'one-held-nothing' })).toContain('got one that held none')
})
