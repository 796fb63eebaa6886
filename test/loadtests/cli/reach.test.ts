import { reachOf, type ReachOrder } from '../../../loadtests/src/cli/reach.ts'
import type { Prepared } from '../../../loadtests/src/cli/prepare.ts'
import { render } from '../../../loadtests/src/chart/render.ts'
import { parseFault } from '../../../loadtests/src/fault/faults.ts'
import { mockHost } from '../../../loadtests/src/model/outside.ts'
import type { Workflow } from '../../../loadtests/src/workload/open.ts'
import type { Experiment } from '../../../loadtests/src/model/experiment.ts'

const nodes = [
  { name: 'In', type: 'n8n-nodes-base.webhook', parameters: {} },
  { name: 'Pay', type: 'n8n-nodes-base.httpRequest', parameters: { url: 'https://api.stripe.com/v1/charges' } },
  { name: 'Write', type: 'n8n-nodes-base.postgres', parameters: {} },
]
const workflow = {
  name: 'orders',
  webhook: { method: 'POST', path: '/webhook/orders?key=secret' },
  imports: [{ nodes }],
} as unknown as Workflow
const load: Experiment['load'] = { shape: 'constant', rate: 50, duration: 10, timeout: 30 }
const prepared = (other: Partial<Prepared> = {}): Prepared =>
  ({
    experiment: { load } as Experiment,
    workflows: [workflow],
    credentials: [],
    outside: null,
    callServices: true,
    ...other,
  }) as Prepared
const where: ReachOrder = { plans: [], faults: [], canSeal: true }
const local = { target: 'local' as const, metricsUrl: [] as URL[] }
const url = { target: new URL('http://127.0.0.1:5678'), metricsUrl: [new URL('http://127.0.0.1:5678/metrics')] }

const inWords = (...given: Parameters<typeof reachOf>) =>
  reachOf(...given)
    .map(({ what, does }) => [what, ...does].join('\n'))
    .join('\n')

test('a plain run on this machine reaches nothing', () => {
  expect(reachOf(local, prepared({ callServices: false }), where)).toEqual([])
  const mock = { rules: [], allow: [], record: null }
  expect(reachOf(local, prepared({ outside: mock }), where)).toEqual([])
})

describe('an n8n at a URL, on loopback too', () => {
  test('is named with its webhooks without their queries, the largest rate, and the services that it calls', () => {
    const said = inWords(url, prepared(), where)
    expect(said).toContain('the n8n at http://127.0.0.1:5678/ (--target)')
    expect(said).toContain('POST /webhook/orders (orders), at most 50/s')
    expect(said).toContain('its database stores the executions')
    expect(said).toContain('api.stripe.com, postgres of the node "Write"')
    expect(said).toContain('cannot be seen from here')
    expect(said).toContain('http://127.0.0.1:5678/metrics')
    expect(said).not.toContain('secret')
  })

  test('is sent what was inferred, which is shown before', () => {
    const made = {
      credentials: [],
      hints: [],
      said: [],
      bridged: [],
      requests: [{ webhook: 'In', body: { id: '{{counter}}' } }],
    }
    const said = inWords(url, prepared({ workflows: [{ ...workflow, made }] }), where)
    expect(said).toContain('what orders is sent was inferred from its file: {"body":{"id":"{{counter}}"}}; --request')
  })

  test.each<[Experiment['load'], string]>([
    [{ shape: 'search', min: 0.5, max: 2000, step: 20, precision: 0.05, timeout: 30 }, 'at most 2,000/s'],
    [{ shape: 'spike', rate: 5, peak: 80, duration: 60, timeout: 30 }, 'at most 80/s'],
    [{ shape: 'ramp', from: 1, to: 30, duration: 60, timeout: 30 }, 'at most 30/s'],
    [{ shape: 'herd', rate: 5, waiting: 300, duration: 60, timeout: 30 }, 'at most 5/s, and 300 at once'],
    [{ shape: 'closed', vus: 8, duration: 60, timeout: 30 }, 'by 8 clients'],
  ])('the largest load of $shape is said', (given, words) => {
    expect(inWords(url, prepared({ experiment: { load: given } as Experiment }), where)).toContain(words)
  })
})

test('a cluster is named with its API server, the namespaces, the images and what faults do', async () => {
  const plans = [await render({ executions: { mode: 'queue' }, database: { type: 'embedded' } })]
  const cluster = { name: 'kind', server: 'https://127.0.0.1:6443', tries: 7 }
  const faults = [parseFault('worker-killed')!]
  const said = inWords({ ...local, target: 'kubernetes' as const }, prepared(), { ...where, cluster, plans, faults })
  expect(said).toContain('the cluster of the context kind (https://127.0.0.1:6443)')
  expect(said).toContain('namespaces n8n-tuned-… are made')
  expect(said).toContain('at most 7 times')
  expect(said).toMatch(/n8nio\/n8n:[\d.]+.*postgres.*redis/)
  expect(said).toContain('worker-killed: SIGKILL to one worker process')
  expect(said).not.toContain('the real services')
  const outside = { rules: [], allow: [], record: null, hints: [] }
  const mocked = inWords({ ...local, target: 'kubernetes' as const }, prepared({ outside }), {
    ...where,
    canSeal: false,
    cluster,
    plans,
  })
  expect(mocked).toContain('is answered by a mock, a pod of the run')
  expect(mocked).toContain('postgres of the node "Write"\neach execution may reach them for real')
})

test('a database whose made credential leads to the mock is not reached; where that one is, is said', () => {
  const made = { id: '1', name: 'Made', type: 'postgres', data: { host: mockHost } }
  const led = nodes.map((node) => (node.name === 'Write' ? { ...node, credentials: { postgres: made } } : node))
  const said = inWords(
    { ...local, target: 'kubernetes' as const },
    prepared({
      workflows: [{ ...workflow, imports: [{ nodes: led }] } as unknown as Workflow],
      credentials: [made],
      outside: { rules: [], allow: [], record: null, hints: [] },
    }),
    { ...where, canSeal: false, cluster: { name: 'kind', server: 'https://127.0.0.1:6443', tries: 7 } },
  )
  expect(said).toContain('is made up, is in a Secret there')
  expect(said).not.toContain('for real')
})

describe('on this machine', () => {
  test('--allow-outside reaches the real services, by host', () => {
    const said = inWords({ ...local, allowOutside: true as const }, prepared(), where)
    expect(said).toContain('(--allow-outside)')
    expect(said).toContain('api.stripe.com')
    expect(reachOf({ ...local, allowOutside: true as const }, prepared({ callServices: false }), where)).toEqual([])
  })

  test('--record-outside reaches them once, and says where the answers go', () => {
    const outside = { rules: [], allow: [], record: 'answers.yaml' }
    const said = inWords(local, prepared({ outside }), where)
    expect(said).toContain('written to answers.yaml')
    expect(said).toContain('api.stripe.com')
  })

  test('an address that the rules allow is reached', () => {
    const outside = { rules: [], allow: ['db.example.com:5432'], record: null }
    expect(inWords(local, prepared({ outside }), where)).toContain('db.example.com:5432 (allow')
  })

  test('without a network of its own, what is not HTTP is reached although there is a mock', () => {
    const outside = { rules: [], allow: [], record: null }
    const said = inWords(local, prepared({ outside }), { ...where, canSeal: false })
    expect(said).toContain('postgres of the node "Write"')
    expect(said).not.toContain('stripe')
  })

  test('--remote-write and --record are written to', () => {
    const remoteWrite = new URL('http://127.0.0.1:9090/api/v1/write')
    const said = inWords({ ...local, remoteWrite, record: 's3://runs/a' }, prepared({ callServices: false }), where)
    expect(said).toContain('http://127.0.0.1:9090/api/v1/write (--remote-write)')
    expect(said).toContain('s3://runs/a (--record)')
  })
})

describe('before n8n starts', () => {
  const packages = (...given: string[]) =>
    render({ communityNodes: { packages: given, registry: 'https://us:pa55@npm.example.com' } })

  test('packages of community nodes are named with where they come from, and without a login', async () => {
    const plans = [await packages('https://us:pa55@203.0.113.9/n8n-nodes-x.tgz', 'n8n-nodes-y@1.0.0')]
    const said = inWords(local, prepared({ callServices: false }), { ...where, plans })
    expect(said).toContain('https://203.0.113.9/n8n-nodes-x.tgz, n8n-nodes-y@1.0.0 (communityNodes.packages)')
    expect(said).toContain('https://npm.example.com')
    expect(said).toContain('their code runs within n8n')
    expect(said).not.toContain('pa55')
  })

  test('archives in the pod are fetched from nowhere', async () => {
    const plans = [await packages('/home/node/.n8n/n8n-nodes-x.tgz')]
    expect(reachOf(local, prepared({ callServices: false }), { ...where, plans })).toEqual([])
  })

  test('images that a runtime would pull are named', () => {
    const pulls = { program: 'podman', images: ['docker.io/n8nio/n8n:2.41.1'] }
    const said = inWords(local, prepared({ callServices: false }), { ...where, pulls })
    expect(said).toBe('the registries of docker.io/n8nio/n8n:2.41.1\npodman pulls these images')
  })
})
