import { filesOf, isUnsure, profileOf, type Learned, type Listed } from '../../../../loadtests/src/n8n/learn/learned.ts'
import { parseProfile } from '../../../../loadtests/src/model/profile.ts'

const webhook = { type: 'n8n-nodes-base.webhook', parameters: { path: 'x' } as object }
const listed = (id: string, name: string, nodes: Listed['nodes'] = [webhook]): Listed =>
  ({ id, name, nodes, connections: {}, pinData: { Webhook: [{ json: { email: 'ann@example.com' } }] } }) as Listed
const habit = (workflow: string, executions: number, failed = 0, p95 = 120) => ({
  workflow,
  executions,
  failed,
  ran: { p50: 60, p95 },
})
const at = Date.UTC(2026, 10, 16, 9, 30)
const learned = (over: Partial<Learned> = {}): Learned => ({
  url: 'https://n8n.example.com/',
  days: 7,
  history: {
    habits: [habit('a', 3000, 30), habit('b', 1000)],
    peak: { at, executions: 630 },
    weekly: null,
    others: { trigger: 12 },
    from: at - 6 * 864e5,
    to: at + 864e5,
  },
  workflows: [listed('a', 'Orders'), listed('b', 'Refunds')],
  folder: 'learned',
  cut: null,
  failure: null,
  ...over,
})
const parsed = (over: Partial<Learned> = {}) => parseProfile(profileOf(learned(over))!, 'learned.yaml').experiment

test('the profile asks for the busiest minute in the mix that there was', () => {
  const experiment = parsed()
  expect(experiment.workflows).toEqual(['learned/#a', 'learned/#b'])
  expect(experiment.load).toMatchObject({ shape: 'search', weights: { orders: 3000, refunds: 1000 } })
  expect(experiment).toMatchObject({ need: 10.5, needIs: 'the busiest minute of the last 7 days' })
  expect(experiment.slo).toMatchObject({ p95: 1000, errors: 0.008 })
})

describe('of an n8n that shows less than was asked for', () => {
  const shown = (seconds: number) => ({ ...learned().history, from: at, to: at + seconds * 1000 })

  test.each([
    [100, '100 seconds'],
    [3 * 3600, '3 hours'],
    [5 * 86_400, '5 days'],
  ])('the profile says which time its executions cover: %d s', (seconds, words) => {
    expect(parsed({ history: shown(seconds) }).needIs).toBe(
      `the busiest minute of the ${words} that its executions cover`,
    )
  })

  test('a window below an hour, a failed page or a cut is unsure', () => {
    expect(isUnsure(learned())).toBe(false)
    expect(isUnsure(learned({ history: shown(100) }))).toBe(true)
    expect(isUnsure(learned({ failure: 'Expected n8n’s public API, got 503.' }))).toBe(true)
    expect(isUnsure(learned({ cut: 600 }))).toBe(true)
  })
})

test('of a quiet n8n the search begins at what it needs', () => {
  const history = { ...learned().history, peak: { at, executions: 6 } }
  expect(parsed({ history })).toMatchObject({ need: 0.1, load: { min: 0.1 } })
})

test('a workflow that runs long has the objective that it keeps already', () => {
  expect(parsed({ history: { ...learned().history, habits: [habit('a', 10, 0, 1234)] } }).slo.p95).toBe(1300)
})

test('what cannot be loaded has no part in the mix, nor in the rate', () => {
  const { workflows, need } = parsed({ workflows: [listed('a', 'Orders'), listed('b', 'Refunds', [])] })
  expect(workflows).toEqual(['learned/#a'])
  expect(need).toBe(10.5)
})

test('a workflow that begins by a form, a chat or MCP has its part in the mix', () => {
  const form = { type: 'n8n-nodes-base.formTrigger', parameters: {} }
  expect(parsed({ workflows: [listed('a', 'Orders'), listed('b', 'Sign up', [form])] }).load).toMatchObject({
    weights: { orders: 3000, 'sign-up': 1000 },
  })
})

test('a reader is told what was seen, what was left out and what to fill in', () => {
  const text = profileOf(
    learned({
      cut: 500_000,
      workflows: [
        listed('a', 'Orders', [{ ...webhook, parameters: { authentication: 'headerAuth' } }]),
        listed('b', 'Refunds'),
      ],
    }),
  )!
  for (const said of [
    'The busiest minute began at 2026-11-16T09:30:00.000Z: 630',
    '12 by trigger',
    'newest 500000',
    'Fill in what n8n does not tell',
    '--credentials FILE gives: orders.',
    'orders: 3000 executions, 30 failed, ran 60 ms (p50) and 120 ms (p95)',
  ])
    expect(text).toContain(said)
})

test('nothing that was pinned in the editor is copied', () => {
  expect(JSON.stringify([...filesOf(learned())])).not.toContain('ann@example.com')
})

test('workflows of one name are told apart', () => {
  const same = { workflows: [listed('a', 'Orders'), listed('b', 'orders!')] }
  expect(Object.fromEntries(filesOf(learned(same)))).toMatchObject({
    'a.json': { name: 'Orders a' },
    'b.json': { name: 'orders! b' },
  })
  expect(parsed(same).load).toMatchObject({ weights: { 'orders-a': 3000, 'orders-b': 1000 } })
})

test('without executions of a workflow that can be loaded there is no profile', () => {
  expect(profileOf(learned({ workflows: [] }))).toBeNull()
})

test.each([
  [{ day: 1, hour: 8 }, 'Monday at 8:00 UTC', '45 7 * * 1', '0 9 * * 1'],
  [{ day: 0, hour: 0 }, 'Sunday at 0:00 UTC', '45 23 * * 6', '0 1 * * 0'],
  [{ day: 6, hour: 23 }, 'Saturday at 23:00 UTC', '45 22 * * 6', '0 0 * * 0'],
])('the profile has values for workers before the busiest hour of a week: %o', (when, words, start, end) => {
  const history = { ...learned().history, weekly: { ...when, executions: 5000, times: 4.2 } }
  const profile = profileOf(learned({ history }))!
  expect(profile).toContain(`# The busiest hour of each week begins on ${words}`)
  expect(profile).toContain(`cron: [{ start: "${start}", end: "${end}", replicas: N }]`)
})
