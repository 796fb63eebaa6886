import { fill } from '../../../loadtests/evidence/page.ts'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { ReasonCode } from '../../../loadtests/src/model/step.ts'
import { quickRun } from '../../loadtests/fixtures/runs.ts'

const summary = summarise(quickRun())
const page = (within: string, table = 'results'): string =>
  `Words before.\n\n<!-- evidence: ${table} quick -->\n${within}<!-- end of evidence -->\n\nWords after.\n`
const filled = (text: string): Promise<string> => fill(text, async () => summary)

test('gets its table from the run it names, with the command that made it', async () => {
  const text = await filled(page(''))
  expect(text).toContain('| ping-webhook | tuned | 99.9/s | 92.4 to 244/s by one run |')
  expect(text).toContain('`./n8n-tuned compare --profile quick`, 2026-11-20 09:00 UTC')
  expect(text).toMatch(/^Words before\.[^]*Words after\.\n$/)
})

test('stays as it is where it says what its run says', async () => {
  const text = await filled(page(''))
  expect(await filled(text)).toBe(text)
})

test('does not keep a figure that its run does not have', async () => {
  const text = await filled(page(''))
  expect(await filled(text.replace('99.9/s', '199/s'))).toBe(text)
})

test('says of a run that is not kept how to make it', async () => {
  expect(await fill(page('old figures\n'), async () => null)).toContain(
    'Not measured with these settings yet: `make evidence RUNS="quick"` does it.',
  )
})

test('every reason has a row, which comes from no run', async () => {
  const text = await fill('<!-- evidence: reasons -->\n<!-- end of evidence -->', async () => null)
  for (const code of ReasonCode.options) expect(text).toContain(`| ${code} |`)
  expect(text).toContain('| too-few | too few answers | nothing of n8n | a longer step | – |')
})

test('refuses a table that nobody makes', async () => {
  await expect(filled(page('', 'wishes'))).rejects.toThrow('Expected a table of article, results')
})

test('says what the machine did without n8n, and how far that changed', async () => {
  expect(await filled(page(''))).toContain('bare Node 9,420/s')
  const unsteady = {
    ...summary,
    environment: { ...summary.environment, calibration: { rate: 9000, p95: 3, rates: [9420, 8800, 9000] } },
  }
  expect(await fill(page(''), async () => unsteady)).toContain('bare Node 8,800 to 9,420/s')
})
