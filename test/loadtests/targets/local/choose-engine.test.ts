import { LabError, usage } from '../../../../loadtests/src/lib/errors.ts'
import {
  chooseEngine,
  engineNeeds,
  type EngineQuestions,
} from '../../../../loadtests/src/targets/local/choose-engine.ts'
import { refusalOf } from '../../../support/refusal.ts'

const podman = { program: 'podman', version: '5.0.0', limits: true } as const
const needs = { versions: ['2.41.1'], programs: new Map([['redis-server', 'queue mode']]), processOnly: null }

interface Machine {
  has?: string[]
  inNpm?: string[]
  runtime?: typeof podman
}

/** A machine that answers so, and the questions that it was asked. */
function machine({ has = ['redis-server'], inNpm = ['2.41.1'], runtime }: Machine) {
  const asked: string[] = []
  const questions: EngineQuestions = {
    async program(name) {
      asked.push(name)
      return has.includes(name) ? null : usage('missing-server', `no ${name}`, `Install ${name}. Or measure less.`)
    },
    async n8n(version) {
      asked.push('npm')
      return inNpm.includes(version) ? null : `npm has no ${version}.`
    },
    async runtime() {
      asked.push('runtime')
      if (!runtime) throw usage('no-container-runtime', 'none', 'Install one.')
      return runtime
    },
  }
  return { questions, asked }
}

describe('without --engine', () => {
  test('processes are taken where npm and the machine have all that they need, and no runtime is asked', async () => {
    const { questions, asked } = machine({ runtime: podman })
    expect(await chooseEngine(undefined, needs, questions)).toEqual({
      runtime: null,
      reason: { code: 'has-all', names: ['2.41.1'] },
    })
    expect(asked).not.toContain('runtime')
  })

  test('containers are taken where a program is missing, before npm is asked', async () => {
    const { questions, asked } = machine({ has: [], runtime: podman })
    expect(await chooseEngine(undefined, needs, questions)).toEqual({
      runtime: podman,
      reason: { code: 'lacks-programs', names: ['redis-server'] },
    })
    expect(asked).not.toContain('npm')
  })

  test('containers are taken where npm does not have one of the releases', async () => {
    const { questions } = machine({ runtime: podman })
    const both = { ...needs, versions: ['2.41.1', '2.48.5'] }
    expect(await chooseEngine(undefined, both, questions)).toEqual({
      runtime: podman,
      reason: { code: 'not-in-npm', names: ['2.48.5'] },
    })
  })

  test.each([
    ['a program', { has: [] }, /redis-server/],
    ['npm’s n8n', { inNpm: [] }, /n8n 2\.41\.1/],
  ])('without %s and a runtime, one message names both ways', async (_, has, missing) => {
    const refusal = await refusalOf(() => chooseEngine(undefined, needs, machine(has).questions))
    expect(refusal).toMatchObject({ code: 'no-engine', exit: 2, message: expect.stringMatching(missing) })
    expect(refusal.message).toMatch(/processes.*Docker or Podman/)
    expect(refusal.hint).toMatch(/^For processes: .*(install redis-server|set image\.tag).* For containers: install/)
  })

  test('what runs as processes alone is never put into containers', async () => {
    const alone = { ...needs, processOnly: 'external task runners' }
    const refusal = await refusalOf(() =>
      chooseEngine(undefined, alone, machine({ has: [], runtime: podman }).questions),
    )
    expect(refusal.code).toBe('missing-server')
  })
})

test('an engine that is asked for is taken, and what it lacks is said at once', async () => {
  const taken = machine({ runtime: podman })
  expect(await chooseEngine('container', needs, taken.questions)).toMatchObject({ runtime: podman })
  expect(await chooseEngine('process', needs, taken.questions)).toMatchObject({ runtime: null })
  const bare = machine({ has: [] }).questions
  expect((await refusalOf(() => chooseEngine('container', needs, bare))).code).toBe('no-container-runtime')
  expect((await refusalOf(() => chooseEngine('process', needs, bare))).code).toBe('missing-server')
})

test('a defect is no refusal', async () => {
  const { questions } = machine({ has: [] })
  const broken = { ...questions, runtime: () => Promise.reject(new TypeError('odd')) }
  await expect(chooseEngine(undefined, needs, broken)).rejects.not.toBeInstanceOf(LabError)
})

describe('what processes need', () => {
  test('of SQLite in regular mode is n8n alone, the chart’s where the values name none', () => {
    expect(engineNeeds([{}], '2.41.1')).toEqual({ versions: ['2.41.1'], programs: new Map(), processOnly: null })
  })

  test('of queue mode and PostgreSQL are their servers, whoever has them in production', () => {
    const { programs } = engineNeeds(
      [{ executions: { mode: 'queue' }, database: { type: 'external' } }, { database: { type: 'embedded' } }],
      '2.41.1',
    )
    expect([...programs.keys()]).toEqual(['redis-server', 'redis-cli', 'initdb'])
  })

  test('of an image of one’s own is n8n of its version, and a tag that moves is the chart’s to refuse', () => {
    const images = [{ tag: 'mine', version: '2.40.1' }, { tag: '2.39.0@sha256:ab' }, { tag: 'latest' }]
    expect(
      engineNeeds(
        images.map((image) => ({ image })),
        '2.41.1',
      ).versions,
    ).toEqual(['2.40.1', '2.39.0'])
  })

  test('of external task runners is a machine with processes', () => {
    expect(engineNeeds([{ runner: { mode: 'external' } }], '2.41.1').processOnly).toBe('external task runners')
  })
})
