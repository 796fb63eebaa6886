import type { Plan } from '../../../../loadtests/src/chart/plan.ts'
import type { Api } from '../../../../loadtests/src/targets/kubernetes/api.ts'
import { watchPods } from '../../../../loadtests/src/targets/kubernetes/watch.ts'
import { ended, pod, running } from './made-pods.ts'
import type { TargetEvent } from '../../../../loadtests/src/model/event.ts'

const plan = { workloads: [{ component: 'main', replicas: 1 }] } as unknown as Plan

/** Looks at the main pod of each of these moments; what was told. */
async function watched(...moments: any[]) {
  const told: string[] = []
  let now: any
  const api = {
    list: async () => (now ? [now] : []),
    ask: async () => ({ status: 200, text: 'last words\n' }),
  } as unknown as Api
  const exits: NonNullable<TargetEvent['exit']>[] = []
  const watch = watchPods(api, { name: 'n8n-tuned-1', namespace: 'lab' }, plan, ({ process, kind, exit }) => {
    told.push(`${process} ${kind}${exit ? ` ${exit.reason}` : ''}`)
    if (exit) exits.push(exit)
  })
  for (now of moments) await watch.look()
  await watch.stop()
  return { told, exits }
}

const main = (status: object, uid = 'first') => pod('main-x', 'main', { uid, status })

test('of a namespace with other pods only those of the plan are watched', async () => {
  const looked: unknown[] = []
  const api = { list: async (...asked: unknown[]) => (looked.push(asked), []) } as unknown as Api
  const watch = watchPods(api, { name: 'n8n-tuned-1', namespace: 'lab' }, plan, () => {})
  await watch.look()
  await watch.stop()
  expect(looked).toEqual([['/api/v1/namespaces/lab/pods', { 'app.kubernetes.io/instance': 'n8n-tuned-1' }]])
})

test('a container that goes on running is told once', async () => {
  expect(await watched(main(running()), main(running()))).toMatchObject({ told: ['main-0 started'] })
})

test('a container that is killed for memory is told once, with its last words, and its next start', async () => {
  const killed = ended('OOMKilled', 137)
  const { told, exits } = await watched(main(running()), main(running(killed, 1)), main(running(killed, 1)))
  expect(told).toEqual(['main-0 started', 'main-0 exited oom-killed', 'main-0 started'])
  expect(exits).toEqual([{ reason: 'oom-killed', code: 137, signal: null, log: ['last words'] }])
})

test('a pod that another takes the place of has ended too', async () => {
  const { told } = await watched(main(running()), undefined, main(running({}, 0, 'later'), 'second'))
  expect(told).toEqual(['main-0 started', 'main-0 exited crashed', 'main-0 started'])
})
