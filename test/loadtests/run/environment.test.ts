import { cpus } from 'node:os'
import { describeEnvironment } from '../../../loadtests/src/run/environment.ts'
import type { Stillness } from '../../../loadtests/src/run/quiet-machine.ts'
import type { Target } from '../../../loadtests/src/targets/target.ts'

const target = (over: Partial<Target> = {}) =>
  ({ limits: { kind: 'cgroup v2', enforced: true }, cores: { generator: [0], target: [1] }, ...over }) as Target
const describing = (over?: Partial<Target>, stillness: Stillness | null = null) =>
  describeEnvironment(target(over), { n8n: '2.41.1' }, stillness)

test('a reader is told the machine, and the version of everything that took part', async () => {
  expect(await describing()).toMatchObject({
    machine: { cores: cpus().length, memory: expect.any(Number), kernel: expect.any(String), cpu: expect.any(String) },
    versions: {
      n8n: '2.41.1',
      node: process.version.slice(1),
      k6: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      helm: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    },
    limits: 'cgroup v2',
    cores: { generator: [0], target: [1] },
    loadAverage: [expect.any(Number), expect.any(Number), expect.any(Number)],
  })
})

test('a reader is told what n8n ran as, where it ran on this machine', async () => {
  expect((await describing({ engine: 'containers of podman 4.3.1' })).engine).toBe('containers of podman 4.3.1')
  expect((await describing()).engine).toBeNull()
})

test('a reader is told where n8n ran elsewhere, and nothing of this machine', async () => {
  const machine = { cpu: 'Kubernetes v1.34.4', cores: 8, memory: 2 ** 34, kernel: '6.1.0' }
  expect(await describing({ surroundings: { machine, warnings: ['One node.'] } })).toMatchObject({
    machine,
    loadAverage: [],
    warnings: ['One node.'],
  })
})

test('a reader is warned where limits are not enforced', async () => {
  const { warnings, limits } = await describing({ limits: { kind: 'docker 28.0.0', enforced: false } })
  expect(limits).toBe('not enforced')
  expect(warnings).toContainEqual({ code: 'limits-not-enforced' })
  expect((await describing()).warnings).not.toContainEqual({ code: 'limits-not-enforced' })
})

test('a reader is warned where the generator shares n8n’s core', async () => {
  const { warnings } = await describing({ cores: { generator: [0], target: [0] } })
  expect(warnings).toContainEqual({ code: 'generator-shares-core' })
  expect((await describing()).warnings).not.toContainEqual({ code: 'generator-shares-core' })
})

test('after a wait, a reader is warned of what still ran, and not of what the run waited for', async () => {
  expect((await describing({}, { quiet: true, waited: true, busy: 0.1 })).warnings).toEqual([])
  expect((await describing({}, { quiet: false, waited: true, busy: 1.4 })).warnings).toEqual([
    { code: 'never-quiet', busy: 1.4, cores: cpus().length },
  ])
})

test('without a wait, what runs now counts, and not what a load average still tells of', async () => {
  expect((await describing({}, { quiet: true, waited: false, busy: 0.1 })).warnings).toEqual([])
  expect((await describing({}, { quiet: false, waited: false, busy: 1.4 })).warnings).toEqual([
    { code: 'not-quiet', busy: 1.4, cores: cpus().length },
  ])
})
