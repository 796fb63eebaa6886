import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../../../loadtests/src/lib/paths.ts'
import { profile, parse, search } from '../fixtures/profile.ts'
import { loadProfile } from '../../../loadtests/src/model/profile.ts'

describe('a profile', () => {
  test('is an experiment with every default filled in', () => {
    expect(parse(profile()).experiment).toEqual({
      name: 'mine',
      question: 'What does it sustain?',
      base: {},
      variants: [{ name: 'mine', values: {} }],
      matrix: {},
      workflows: ['ping-webhook'],
      load: { shape: 'closed', vus: 8, duration: 60, timeout: 30 },
      slo: { p95: 1000, errors: 0.001, backlog: 0.05 },
      repeat: 1,
      price: { cpu: 1, memory: 0.125 },
    })
  })

  test('fills in what a search leaves out', () => {
    expect(parse(search()).experiment.load).toEqual({
      shape: 'search',
      min: 0.5,
      max: 20_000,
      step: 20,
      precision: 0.05,
      timeout: 30,
      arrivals: 'random',
    })
  })

  test('gives durations in seconds, the objective in milliseconds and shares as fractions', () => {
    const { load, slo } = parse(
      profile(
        { load: 'load: { shape: constant, rate: 50, duration: 2m, timeout: 500ms }' },
        'slo: { p95: 1s, errors: 1%, backlog: 0.2 }',
      ),
    ).experiment
    expect(load).toEqual({ shape: 'constant', rate: 50, duration: 120, timeout: 0.5, arrivals: 'random' })
    expect(slo).toEqual({ p95: 1000, errors: 0.01, backlog: 0.2 })
  })

  test('weighs every workflow of a mix alike unless told otherwise', () => {
    expect(parse(profile({ load: 'load: { shape: mixed, rate: 10, duration: 60s }' })).experiment.load).toMatchObject({
      shape: 'mixed',
      weights: {},
    })
    expect(
      parse(
        profile({
          workflows: 'workflows: [ping-webhook, mine/orders.json]',
          load: 'load: { shape: mixed, rate: 10, duration: 60s, weights: { orders: 0.5 } }',
        }),
      ).experiment.load,
    ).toMatchObject({ weights: { orders: 0.5 } })
  })

  test('takes a rate that is needed alone, or with what it is', () => {
    const needed = (need: string) => parse(profile({}, need)).experiment
    expect(needed('need: 4')).toMatchObject({ need: 4 })
    expect(needed('need: { rate: 4, is: the busiest minute }')).toMatchObject({ need: 4, needIs: 'the busiest minute' })
    expect(() => needed('need: { rate: 4 }')).toThrow('need')
  })

  test('keeps its variants in their order; one without values changes nothing', () => {
    const { variants } = parse(profile({}, 'variants:\n  wide: { main: { replicas: 1 } }\n  as-it-is:\n')).experiment
    expect(variants).toEqual([
      { name: 'wide', values: { main: { replicas: 1 } } },
      { name: 'as-it-is', values: {} },
    ])
  })

  test.each(readdirSync(paths.profiles))('bundled as %s is good', async (file) => {
    const { experiment } = await loadProfile(join(paths.profiles, file))
    expect(`${experiment.name}.yaml`).toBe(file)
  })
})
