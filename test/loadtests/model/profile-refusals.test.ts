import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { refusalOf } from '../../support/refusal.ts'
import { profile, parse, search } from '../fixtures/profile.ts'
import { loadProfile } from '../../../loadtests/src/model/profile.ts'

describe('a bad profile is refused with its file, the line, what was expected and what was got:', () => {
  test.each([
    ['an unknown key', profile({}, 'speed: 3\n'), 'mine.yaml:5: Expected a profile without the key "speed", got it.'],
    [
      'a misspelt key, rather than the right one it leaves missing',
      profile({ workflows: 'workflow: [ping-webhook]' }),
      'mine.yaml:3: Expected a profile without the key "workflow", got it.',
    ],
    [
      'an unknown key of load',
      profile({ load: 'load: { shape: closed, vus: 8, duration: 1s, rate: 3 }' }),
      'mine.yaml:4: Expected load without the key "rate", got it.',
    ],
    [
      'an unknown objective',
      profile({}, 'slo: { p90: 1s }'),
      'mine.yaml:5: Expected slo without the key "p90", got it.',
    ],
    [
      'a wrong type',
      profile({ load: 'load: { shape: closed, vus: many, duration: 1s }' }),
      'mine.yaml:4: load.vus: Expected a number, got "many".',
    ],
    [
      'a text for a list',
      profile({ workflows: 'workflows: ping-webhook' }),
      'mine.yaml:3: workflows: Expected a list, got "ping-webhook".',
    ],
    ['a list for a map', profile({}, 'variants: [tuned]'), 'mine.yaml:5: variants: Expected a map, got ["tuned"].'],
    [
      'a map for a list',
      profile({}, 'matrix: { main.replicas: 1 }'),
      'mine.yaml:5: matrix.main.replicas: Expected a list, got 1.',
    ],
    [
      'a fraction for a count',
      profile({ load: 'load: { shape: closed, vus: 1.5, duration: 1s }' }),
      'mine.yaml:4: load.vus: Expected a whole number, got 1.5.',
    ],
    ['a missing key', profile({ load: '' }), 'mine.yaml:1: load: Expected a map, got nothing.'],
    [
      'a missing key of a map',
      profile({ load: 'load: { shape: closed, vus: 8 }' }),
      'mine.yaml:4: load.duration: Expected a duration such as 500ms, 30s or 2m, got nothing.',
    ],
    ['an empty question', profile({ question: 'question: ""' }), 'mine.yaml:2: question: Expected some text, got "".'],
    [
      'a bad duration',
      profile({ load: 'load: { shape: closed, vus: 8, duration: soon }' }),
      'mine.yaml:4: load.duration: Expected a duration such as 500ms, 30s or 2m, got "soon".',
    ],
    [
      'a duration without its unit',
      profile({ load: 'load: { shape: closed, vus: 8, duration: 60 }' }),
      'mine.yaml:4: load.duration: Expected a duration such as 500ms, 30s or 2m, got 60.',
    ],
    [
      'no duration at all',
      profile({ load: 'load: { shape: closed, vus: 8, duration: 0s }' }),
      'mine.yaml:4: load.duration: Expected a duration such as 500ms, 30s or 2m, got "0s".',
    ],
    [
      'a bad share',
      profile({}, 'slo: { errors: 150% }'),
      'mine.yaml:5: slo.errors: Expected a share such as 0.1% or 0.001, got "150%".',
    ],
    [
      'a share of another type',
      profile({}, 'slo: { errors: true }'),
      'mine.yaml:5: slo.errors: Expected a share such as 0.1% or 0.001, got true.',
    ],
    [
      'a rate of nothing',
      profile({ load: 'load: { shape: constant, rate: 0, duration: 1s }' }),
      'mine.yaml:4: load.rate: Expected more than 0, got 0.',
    ],
    [
      'too few clients',
      profile({ load: 'load: { shape: closed, vus: 0, duration: 1s }' }),
      'mine.yaml:4: load.vus: Expected at least 1, got 0.',
    ],
    ['too many repeats', profile({}, 'repeat: 99'), 'mine.yaml:5: repeat: Expected at most 20, got 99.'],
    [
      'an empty list',
      profile({ workflows: 'workflows: []' }),
      'mine.yaml:3: workflows: Expected at least 1 entry, got [].',
    ],
    [
      'an empty list of the matrix',
      profile({}, 'matrix:\n  main.replicas: []\n'),
      'mine.yaml:6: matrix.main.replicas: Expected at least 1 entry, got [].',
    ],
    [
      'a search that ends below its beginning',
      search(', min: 100, max: 5'),
      'mine.yaml:4: load.max: Expected a rate above load.min, got 5.',
    ],
    [
      'a load shape that there is not',
      profile({ load: 'load: { shape: wave }' }),
      'mine.yaml:4: load.shape: Expected one of closed, constant, ramp, spike, soak, herd, mixed, search, got "wave".',
    ],
    [
      'a spike below its own rate',
      profile({ load: 'load: { shape: spike, rate: 10, peak: 5, duration: 60s }' }),
      'mine.yaml:4: load.peak: Expected a rate above load.rate, got 5.',
    ],
    [
      'a herd of nobody',
      profile({ load: 'load: { shape: herd, rate: 10, waiting: 0, duration: 60s }' }),
      'mine.yaml:4: load.waiting: Expected at least 1, got 0.',
    ],
    [
      'a weight of nothing',
      profile({ load: 'load: { shape: mixed, rate: 10, duration: 60s, weights: { ping-webhook: 0 } }' }),
      'mine.yaml:4: load.weights.ping-webhook: Expected more than 0, got 0.',
    ],
    [
      'a load without a shape',
      profile({ load: 'load: { vus: 8, duration: 1s }' }),
      'mine.yaml:4: load.shape: Expected one of closed, constant, ramp, spike, soak, herd, mixed, search, got nothing.',
    ],
    [
      'a name that is no name',
      profile({ name: 'name: My Profile' }),
      'mine.yaml:1: name: Expected a name of lower-case letters, digits, dots and dashes, got "My Profile".',
    ],
    [
      'a variant’s name that is no name',
      profile({}, 'variants:\n  Tuned One: {}\n'),
      'mine.yaml:6: variants: Expected a name of lower-case letters, digits, dots and dashes, got "Tuned One".',
    ],
    ['a text in the place of everything', 'hello', 'mine.yaml:1: the profile: Expected a map, got "hello".'],
    ['nothing at all', '', 'mine.yaml: the profile: Expected a map, got nothing.'],
    ['the same key twice', profile({}, 'name: again'), 'mine.yaml:5: Expected YAML, got: Map keys must be unique.'],
  ])('%s', async (_, text, message) => {
    const refusal = await refusalOf(() => parse(text))
    expect(refusal.message).toBe(message)
    expect(refusal).toMatchObject({
      code: 'bad-profile',
      exit: exitCodes.usage,
      hint: expect.stringMatching(/^[A-Z].+\.$/),
    })
  })

  test('what is no YAML, at the line where it stops being some', async () => {
    const refusal = await refusalOf(() => parse(profile({ workflows: 'workflows: [ping' })))
    expect(refusal.message).toMatch(/^mine\.yaml:4: Expected YAML, got: .+\.$/)
    expect(refusal).toMatchObject({ exit: exitCodes.usage, hint: 'Correct the syntax at that line.' })
  })

  test('a file that is not there', async () => {
    const refusal = await refusalOf(() => loadProfile('/nowhere/mine.yaml'))
    expect(refusal).toMatchObject({ code: 'unreadable-file', exit: exitCodes.usage })
    expect(refusal.message).toContain('/nowhere/mine.yaml: Expected a readable YAML file, got: none of that name')
  })

  test('the hint for an unknown key names those that there are', async () => {
    const { hint } = await refusalOf(() => parse(profile({}, 'variant: {}')))
    expect(hint).toContain('variants')
  })
})
