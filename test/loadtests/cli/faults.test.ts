import { faultsOf, readyFor, refuseElsewhere, refuseTogether } from '../../../loadtests/src/cli/faults.ts'
import type { Prepared } from '../../../loadtests/src/cli/prepare.ts'
import { parseFault } from '../../../loadtests/src/fault/faults.ts'
import type { ChosenEngine } from '../../../loadtests/src/targets/means.ts'
import { canDropPackets } from '../../../loadtests/src/targets/local/faults.ts'
import { experiment } from '../fixtures/records.ts'

test('a profile’s faults are those of every verb that measures it', () => {
  expect(faultsOf(experiment({ faults: ['redis-frozen=45s', 'worker-killed'] }))).toMatchObject([
    { name: 'redis-frozen', seconds: 45 },
    { name: 'worker-killed' },
  ])
  expect(faultsOf(experiment())).toEqual([])
})

test.each([
  ['drained', 'local', 'needs a cluster'],
  ['worker-out-of-memory', 'local', 'needs a cluster'],
  ['upgraded=2.41.1', 'local', 'needs a cluster'],
  ['worker-killed', new URL('https://n8n.example.com'), 'an n8n that the lab starts'],
] as const)('%s is refused on %s before anything starts', (name, target, said) => {
  expect(() => refuseElsewhere([parseFault(name)!], target)).toThrow(said)
})

test.each(['local', 'kubernetes'] as const)('n8n can be frozen on %s', (target) => {
  const frozen = ['main-frozen', 'worker-frozen', 'webhook-frozen'].map((name) => parseFault(name)!)
  expect(() => refuseElsewhere(frozen, target)).not.toThrow()
})

const prepared = (outside: Prepared['outside'] = null, runtime: ChosenEngine['runtime'] = null): Prepared =>
  ({ outside, engine: { runtime, reason: { code: 'asked', names: [] } } }) as unknown as Prepared
const podman = { program: 'podman', version: '5.0.0', limits: true } as const

describe('a clock is moved', () => {
  const moved = [parseFault('clock-moved')!]

  test('where n8n runs as processes of this machine', async () => {
    const given = prepared()
    expect(await readyFor(moved, given, { target: 'local' })).toBe(given)
  })

  test('not in containers, and that is said before anything starts', async () => {
    await expect(readyFor(moved, prepared(null, podman), { target: 'local' })).rejects.toMatchObject({
      code: 'fault-needs-libfaketime',
    })
  })
})

test.each(['redis-paused', 'redis-frozen', 'postgresql-disk-full', 'redis-unreachable', 'clock-moved'])(
  '%s can be done on both targets, and is refused on neither',
  (name) => {
    const all = [parseFault(name)!]
    for (const target of ['local', 'kubernetes'] as const) expect(() => refuseElsewhere(all, target)).not.toThrow()
  },
)

describe('in a cluster', () => {
  const refuse = (...names: string[]) => refuseTogether(names.map((name) => parseFault(name)!))

  test.each(['postgresql-killed', 'postgresql-restarted', 'postgresql-gone'])(
    '%s is refused beside a full disk, which goes with the pod',
    (name) => {
      expect(() => refuse('postgresql-disk-full', name)).toThrow(`postgresql-disk-full and ${name} in two runs`)
    },
  )

  test.each(['postgresql-disk-full', 'redis-lossy', 'postgresql-unreachable'])(
    'an upgrade is refused beside %s, because Helm takes back what the lab adds',
    (name) => {
      expect(() => refuse('upgraded=2.41.1', name)).toThrow(`${name} and upgraded in two runs`)
    },
  )

  test.each([
    ['postgresql-disk-full', 'redis-killed'],
    ['redis-lossy', 'postgresql-killed'],
    ['redis-frozen', 'upgraded=2.41.1'],
  ])('%s and %s may be together', (...names) => {
    expect(() => refuse(...names)).not.toThrow()
  })
})

describe.each(['redis-unreachable', 'postgresql-lossy', 'postgresql-disk-full'])('%s', (name) => {
  const cut = [parseFault(name)!]
  const sealed = { rules: [], allow: [], record: null }

  test('gives n8n a network of its own, where the lab can make one', async () => {
    const ready = readyFor(cut, prepared(), { target: 'local' })
    if (await canDropPackets()) expect((await ready).outside).toEqual(sealed)
    else await expect(ready).rejects.toThrow('network of its own')
  })

  test.each([
    ['containers', prepared(null, podman), {}],
    ['what the workflows may call', prepared(), { allowOutside: true }],
    ['what an outside rule allows', prepared({ ...sealed, allow: ['db.example.com:5432'] }), {}],
    ['a recording', prepared({ ...sealed, record: 'calls.yaml' }), {}],
  ] as const)('is refused beside %s, before anything starts', async (_, given, options) => {
    await expect(readyFor(cut, given, { target: 'local', ...options })).rejects.toThrow('network of its own')
  })

  test('is one of the few that need that', async () => {
    const given = prepared()
    const frozen = [parseFault('redis-frozen')!]
    expect(await readyFor(frozen, given, { target: 'local', allowOutside: true })).toBe(given)
  })
})
