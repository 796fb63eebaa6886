import { render } from '../../../../../loadtests/src/chart/render.ts'
import { prepareValues } from '../../../../../loadtests/src/targets/kubernetes/faults/prepare.ts'

const queue = { executions: { mode: 'queue' }, database: { type: 'embedded' } }
const moved = { component: 'n8n', replicas: 'all', how: 'move-clock' } as const
const filled = { component: 'postgresql', replicas: 'one', how: 'fill-disk' } as const

test('other faults change no value', async () => {
  expect(await prepareValues([{ component: 'worker', replicas: 'one', how: 'kill' }], queue)).toEqual(queue)
})

test('each n8n process loads the lab’s clock first, and keeps the user’s own flags', async () => {
  const given = {
    ...queue,
    role: { extraEnv: { NODE_OPTIONS: '--trace-warnings' } },
    worker: { extraEnv: { NODE_OPTIONS: '--stack-size=2000' } },
  }
  const { workloads } = await render(await prepareValues([moved], given))
  const optionsOf = (role: string) =>
    workloads.find(({ component }) => component === role)!.containers[0]!.env.NODE_OPTIONS
  for (const role of ['main', 'webhook', 'worker'])
    expect(optionsOf(role)).toMatch(/ --import=data:text\/javascript;base64,[\w+/=]+$/)
  expect(optionsOf('main')).toContain('--trace-warnings')
  expect(optionsOf('worker')).toContain('--stack-size=2000')
})

test('the disk that the lab fills is no claim', async () => {
  const { database } = await prepareValues([filled], queue)
  expect(database).toEqual({ type: 'embedded', embedded: { persistence: { enabled: false } } })
})
