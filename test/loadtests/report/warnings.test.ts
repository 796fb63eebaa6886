import { warningInWords, warningsIn } from '../../../loadtests/src/report/warnings.ts'
import { environment } from '../fixtures/records.ts'

const looks = (rates: number[]) =>
  warningsIn(environment({ warnings: ['The machine was busy.'], calibration: { rate: rates[0]!, p95: 3, rates } }))

test('what was recorded is said, and that the machine did not keep its pace', () => {
  expect(looks([2607, 2500, 2690])).toEqual(['The machine was busy.'])
  expect(looks([2760, 2220, 2600])).toEqual([
    'The machine was busy.',
    'The machine did not keep its pace: a bare Node server on n8n’s cores answered from 2,220/s to 2,760/s '
      + 'over the run. For that reason alone, what was measured at different times may lie 21 % apart.',
  ])
})

test('what was found has its words, after the name of what it is of, and is said once', () => {
  const found = { code: 'outcome-not-kept', about: 'ping on tuned', workflow: 'ping' } as const
  const [told, ...others] = warningsIn(environment({ warnings: [found, found, 'The machine was busy.'] }))
  expect(told).toMatch(/^ping on tuned: n8n is told to keep neither .* executions of ping\. /)
  expect(others).toEqual(['The machine was busy.'])
})

test('counts that do not confirm each other are said with both figures', () => {
  expect(warningInWords({ code: 'counts-differ', of: 'finished', database: 100, other: 98 })).toBe(
    'n8n’s database counts 100 executions finished, its metrics 98.',
  )
  expect(warningInWords({ code: 'counts-differ', of: 'begun', database: 100, other: 101 })).toBe(
    'n8n’s database counts 100 executions begun, its queue 101.',
  )
  expect(warningInWords({ code: 'workers-uncounted' })).toContain('count no executions of workers')
})
