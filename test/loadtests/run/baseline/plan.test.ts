import { planServer, ServerRefused } from '../../../../loadtests/src/run/baseline/plan.ts'

test('a bare server is a plan of one workload behind a Service', () => {
  const { workloads, services } = planServer({ server: 'express', replicas: 4, limits: { cpu: 0.5, memory: 256 } })
  expect(workloads).toMatchObject([
    {
      component: 'server',
      replicas: 4,
      containers: [{ image: { tag: 'express' }, limits: { cpu: 0.5, memory: 256 * 2 ** 20 } }],
    },
  ])
  expect(services).toMatchObject([{ component: 'server' }])
})

test('unless told, it is one process of plain http that may take what there is', () => {
  expect(planServer({}).workloads).toMatchObject([
    { replicas: 1, containers: [{ env: { SERVER: 'http', CLUSTER: '0' }, limits: { cpu: null, memory: null } }] },
  ])
})

test.each([
  [{ clusters: 4 }, /^clusters: there is no such value\.$/],
  [{ limits: { gpu: 1 } }, /^limits\.gpu: there is no such value\.$/],
  [{ server: 'sails' }, /^server: .*"http"\|"express".*\.$/],
  [{ cluster: 'four' }, /^cluster: .*expected number.*\.$/],
])('%j is refused, by the value’s name', (values, message) => {
  expect(() => planServer(values)).toThrow(ServerRefused)
  expect(() => planServer(values)).toThrow(message)
})
