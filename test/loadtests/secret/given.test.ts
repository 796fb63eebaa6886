import { rememberRequests } from '../../../loadtests/src/secret/given.ts'
import { shown } from '../../../loadtests/src/secret/known.ts'

/** What a request lets in by, where an error of a node repeats it. */

test('a long value in the query, or in a header whose name nobody knows, is no text of a log', () => {
  rememberRequests([
    {
      path: '/webhook/orders?door=swordfishmarlin&status=completedtoday&page=7',
      headers: { 'x-shop': 'opensesameplease', accept: 'application/json-seq', 'x-trace': '{{ uuid }}-of-this-run' },
      body: null,
    },
  ])
  const text = 'ERROR: swordfishmarlin and opensesameplease'
  expect(shown(text)).toBe('ERROR: REDACTED and REDACTED')
  for (const kept of ['completedtoday', 'application/json-seq', '{{ uuid }}-of-this-run', 'page 7'])
    expect(shown(kept)).toBe(kept)
})
