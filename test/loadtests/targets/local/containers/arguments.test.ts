import type { Container } from '../../../../../loadtests/src/chart/plan.ts'
import { render } from '../../../../../loadtests/src/chart/render.ts'
import { runArguments, type Shared } from '../../../../../loadtests/src/targets/local/containers/arguments.ts'
import { ulimitsOf } from '../../../../../loadtests/src/targets/local/containers/engine.ts'
import type { ContainerWork } from '../../../../../loadtests/src/targets/local/engine.ts'
import type { LocalImage } from '../../../../../loadtests/src/targets/local/images.ts'
import type { LocalPod } from '../../../../../loadtests/src/targets/local/pod.ts'

/** From a rendered container to the arguments of docker run or podman run. */

const image: LocalImage = {
  id: 'sha256:1',
  kind: 'n8n',
  entrypoint: [],
  env: { N8N_LISTEN_ADDRESS: '127.0.0.1' },
  listens: { N8N_PORT: 5678 },
  user: null,
}
const shared: Shared = {
  program: 'podman',
  label: 'n8n-tuned=/tmp/lab',
  coresOf: () => [1, 2],
  limits: true,
  caller: null,
  ulimits: ['nofile=1024:4096'],
}
const bare: Container = {
  name: 'n8n',
  image: { repository: 'n8nio/n8n', tag: '2.41.1' },
  command: null,
  args: [],
  env: {},
  secrets: [],
  ports: [{ name: 'http', port: 5678 }],
  limits: { cpu: 0.25, memory: 2 ** 30 },
  mounts: [],
  readiness: null,
  user: null,
  readOnlyRoot: false,
}

function work(container: Partial<Container> = {}, over: Partial<ContainerWork> = {}): ContainerWork {
  const made = { ...bare, ...container }
  const pod = {
    name: 'main-0',
    folder: '/tmp/lab/main-0',
    ports: new Map([[5678, 40001]]),
    volumes: new Map([
      ['data', '/tmp/lab/main-0/volumes/data'],
      ['settings', '/tmp/lab/main-0/volumes/settings'],
    ]),
    workload: {
      volumes: [
        { name: 'data', kind: 'empty' },
        { name: 'settings', kind: 'files', files: {} },
      ],
    },
  } as unknown as LocalPod
  return {
    name: 'plan-0-main-0',
    pod,
    container: made,
    image,
    services: new Map([['n8n-redis:6379', 40002]]),
    limits: made.limits,
    ...over,
  }
}

const args = (container?: Partial<Container>, over?: Partial<ContainerWork>, more: Partial<Shared> = {}) =>
  runArguments(work(container, over), 'n8n-tuned-7-plan-0-main-0', { ...shared, ...more })
/** What follows each time the option is given. */
const given = (option: string, all: string[]) =>
  all.flatMap((argument, index) => (all[index - 1] === option ? [argument] : []))
const afterImage = (all: string[]) => all.slice(all.indexOf('sha256:1') + 1)

test('a container has a name, and the label by which a later lab finds it', () => {
  expect(given('--name', args())).toEqual(['n8n-tuned-7-plan-0-main-0'])
  expect(given('--label', args())).toEqual(['n8n-tuned=/tmp/lab'])
})

test('its limits are the runtime’s to keep, without swap, on n8n’s cores', () => {
  const all = args()
  expect(given('--cpus', all)).toEqual(['0.25'])
  expect(given('--memory', all)).toEqual([String(2 ** 30)])
  expect(given('--memory-swap', all)).toEqual([String(2 ** 30)])
  expect(given('--cpuset-cpus', all)).toEqual(['1,2'])
})

test.each<[string, string[]]>([
  ['a container without limits', args({ limits: { cpu: null, memory: null } })],
  ['one that only prepares something', args({}, { limits: null })],
  ['a runtime that cannot limit', args({}, {}, { limits: false })],
])('%s is not limited', (_, all) => {
  expect([...given('--cpus', all), ...given('--memory', all)]).toEqual([])
})

test('it runs what its image runs, told what the chart says', () => {
  const all = args({ args: ['worker', '--concurrency=10'] })
  expect(given('--entrypoint', all)).toEqual([])
  expect(afterImage(all)).toEqual(['worker', '--concurrency=10'])
})

test('a command of the chart takes the place of the image’s', () => {
  const all = args({ command: ['sh', '-ec', 'true'], args: ['more'] })
  expect(given('--entrypoint', all)).toEqual(['sh'])
  expect(afterImage(all)).toEqual(['-ec', 'true', 'more'])
})

test('the lab has an image do something else, with files of this machine', () => {
  const all = args({ args: ['worker'] }, { args: ['import:workflow'] })
  expect(afterImage(all)).toEqual(['import:workflow'])
  expect(given('--volume', all)).toEqual(['/tmp/lab/main-0:/tmp/lab/main-0:ro'])
})

test('ports and Services are where they are on this machine, paths where they are in the container', () => {
  const all = args({
    command: ['node'],
    args: ['--ready=http://n8n-redis:6379', '/data/file'],
    mounts: [{ path: '/data', volume: 'data', subPath: null }],
  })
  expect(afterImage(all)).toEqual(['--ready=http://127.0.0.1:40002', '/data/file'])
})

test('what is in its environment is not in its arguments, which others can read', () => {
  const all = args({ env: { N8N_ENCRYPTION_KEY: 'sesame' } })
  expect(given('--env', all)).toEqual(['N8N_LISTEN_ADDRESS', 'N8N_PORT', 'N8N_ENCRYPTION_KEY'])
  expect(given('--env', args({ env: { DOCKER_TOKEN: 'sesame' } }))).toContain('DOCKER_TOKEN')
  expect(all.join(' ')).not.toContain('sesame')
})

test('a variable that the runtime’s client has a use for goes by its value', () => {
  expect(given('--env', args({ env: { PATH: '/usr/bin' } }))).toContain('PATH=/usr/bin')
})

test('volumes are mounted where the pod has them, those of ConfigMaps and Secrets to be read only', () => {
  const all = args({
    mounts: [
      { path: '/home/node/.n8n', volume: 'data', subPath: 'deep' },
      { path: '/etc/n8n', volume: 'settings', subPath: null },
    ],
  })
  expect(given('--volume', all)).toEqual([
    '/tmp/lab/main-0/volumes/data/deep:/home/node/.n8n',
    '/tmp/lab/main-0/volumes/settings:/etc/n8n:ro',
  ])
})

test('it runs as the pod says, with a root that cannot be written', () => {
  const all = args({ user: { uid: 1000, gid: 1001 }, readOnlyRoot: true })
  expect(given('--user', all)).toEqual(['1000:1001'])
  expect(all).toContain('--read-only')
})

test('where root does not run the lab it runs as whoever does, whose its volumes are', () => {
  const caller = { uid: 501, gid: 20 }
  const podman = args({ user: { uid: 1000, gid: 1000 } }, {}, { caller })
  expect([given('--user', podman), given('--userns', podman)]).toEqual([['501:20'], ['keep-id']])
  expect(given('--userns', args({}, {}, { caller, program: 'docker' }))).toEqual([])
})

test('it shares this machine’s network, and is gone at once when it is removed', () => {
  expect(given('--network', args())).toEqual(['host'])
  expect(given('--stop-timeout', args())).toEqual(['0'])
})

test('Podman is asked for no more files and processes than the lab may have itself', () => {
  expect(given('--ulimit', args())).toEqual(['nofile=1024:4096'])
  expect(
    ulimitsOf(
      'Max processes             1000                unlimited            processes\nMax open files          '
        + '  1024                 20000                files     \n',
      '32768\n',
    ),
  ).toEqual(['nofile=1024:20000', 'nproc=1000:32768'])
})

test('the chart’s n8n runs as its own user on a root that cannot be written', async () => {
  const { workloads } = await render({})
  const [n8n] = workloads.find(({ component }) => component === 'main')!.containers
  const all = args({ ...n8n, mounts: [] })
  expect([given('--user', all), all.includes('--read-only')]).toEqual([['1000:1000'], true])
})
