import { answerTo } from '../../../loadtests/src/cli/hook-answer.ts'
import { magnitude, random } from '../../support/random.ts'

/** What the hook tells of a check, whatever the check printed. */

const configuration = {
  ...{ workflow: 'w', variant: 'v', cell: {}, chosen: true, answered: 'met', why: null, capacity: null, safe: null },
  ...{ limit: null, ratio: null, objective: null },
}
const question = { kind: 'rate', rate: 3 }
const answer = { question, answered: 'met', why: null, configurations: [configuration], missing: [], next: null }
const summary = JSON.stringify({ id: 'run', answer })

test('a summary is told in short', () => {
  expect(answerTo(0, summary, '')).toEqual({
    status: 200,
    body: {
      ...{ holds: true, verdict: 'met', exitCode: 0, run: 'run', why: null, next: null },
      results: [{ workflow: 'w', variant: 'v', answered: 'met', why: null, capacity: null, safe: null }],
    },
  })
})

test('without a summary nothing is met, whatever the exit code', () => {
  for (const out of ['', 'Usage: n8n-tuned check [options]', '{}', 'null', '{"results":[]}', '{"id":1,"results":[]}'])
    expect(answerTo(0, out, 'what it said\n')).toEqual({
      status: 500,
      body: { holds: false, verdict: 'failed', exitCode: 0, error: 'what it said' },
    })
})

test('what a check says of its end stays, without a summary too', () => {
  expect(answerTo(4, 'odd', '').status).toBe(503)
  expect(answerTo(3, 'odd', '').status).toBe(412)
  expect(answerTo(null, '', '')).toMatchObject({ status: 500, body: { error: 'The check printed no summary.' } })
})

test('a thousand odd outputs have an answer each, and none of them is 200', () => {
  const next = random(62)
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    '"id"',
    ':',
    '"results"',
    ',',
    'null',
    '1e999',
    '\u0000',
    '\u001b[2J',
    '"',
    '\\',
    '--',
    'é',
    summary.slice(0, 40),
  ]
  for (let nth = 0; nth < 1000; nth++) {
    const length = Math.floor(magnitude(next, 1, 500))
    const out = Array.from({ length }, () => pieces[Math.floor(next() * pieces.length)]!).join('')
    const code = [0, 1, 2, 3, 4, 139, -1, null][nth % 8]!
    const { status, body } = answerTo(code, out, out)
    expect([412, 500, 503]).toContain(status)
    expect(JSON.parse(JSON.stringify(body))).toMatchObject({ holds: false, exitCode: code })
  }
  expect(answerTo(0, summary, '').status).toBe(200)
})
