import { countsOf } from '../../../../loadtests/src/n8n/database/rows.ts'

const rows = (...statuses: string[]) => statuses.map((status, index) => ({ id: index + 1, status }))

test('executions without a row that says otherwise ended well: n8n may keep none of those', () => {
  expect(countsOf(10, [])).toEqual({ begun: 10, finished: 10, failed: [], crashed: [], open: [] })
})

test.each(['error', 'failed', 'canceled'])('"%s" is an end in an error', (status) => {
  expect(countsOf(3, rows(status))).toMatchObject({ finished: 2, failed: ['1'], open: [] })
})

test.each(['new', 'running', 'waiting'])('"%s" is no end yet', (status) => {
  expect(countsOf(3, rows(status))).toMatchObject({ finished: 2, open: ['1'] })
})

test('those that died with their process are told by their ids', () => {
  expect(countsOf(5, rows('crashed', 'running', 'crashed'))).toEqual({
    begun: 5,
    finished: 2,
    failed: [],
    crashed: ['1', '3'],
    open: ['2'],
  })
})
