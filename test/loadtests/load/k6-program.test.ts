import { lastWords, rarelyCollecting } from '../../../loadtests/src/load/k6-program.ts'

test('Go may let ten times its memory pile up, within what there is', () => {
  expect(rarelyCollecting(750 * 2 ** 20 + 1)).toEqual({ GOGC: '1000', GOMEMLIMIT: '750MiB' })
})

describe('the last words of k6', () => {
  test('are its last fifteen lines', () => {
    expect(lastWords(Array.from({ length: 20 }, (_, line) => `${line}`))).toEqual(
      Array.from({ length: 15 }, (_, line) => `${line + 5}`),
    )
  })

  test('leave out what may be secret', () => {
    expect(lastWords(['Get "https://n8n.test/webhook?key=1234": EOF'])).toEqual([
      'Get "https://n8n.test/webhook?…": EOF',
    ])
  })

  test('end where a line is too long to be read', () => {
    expect(lastWords(['a'.repeat(1000)])).toEqual([`${'a'.repeat(300)}…`])
  })
})
