import { exitOf, endsOfContainer } from '../../../../loadtests/src/targets/kubernetes/pods.ts'
import { assign } from '../../../../loadtests/src/targets/kubernetes/pods.ts'
import { isReady, restartsOf, stuckBecause } from '../../../../loadtests/src/targets/kubernetes/pods.ts'
import { summaryIn } from '../../../../loadtests/src/targets/kubernetes/generator.ts'
import { container, ended, pod, running } from './made-pods.ts'

describe('a pod that starts', () => {
  const stuck = (status: object, now = Date.parse('2026-11-20T09:00:30Z')) =>
    stuckBecause(pod('main-x', 'main', { status }), { now })
  const waiting = (reason: string, message = '') => ({
    containerStatuses: [container({ waiting: { reason, message } })],
  })
  const unscheduled = {
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: '0/1 nodes are available: 1 Insufficient cpu.',
        lastTransitionTime: '2026-11-20T09:00:00Z',
      },
    ],
  }

  test('is waited for while it may still become ready', () => {
    expect(stuck(running())).toBeNull()
    expect(stuck(waiting('ContainerCreating'))).toBeNull()
    expect(stuck(waiting('ErrImagePull'))).toBeNull()
    expect(
      stuck(waiting('CreateContainerConfigError', 'failed to sync secret cache: timed out waiting for the condition')),
    ).toBeNull()
    expect(stuck(running(ended('Error', 1), 1))).toBeNull()
    expect(stuck(unscheduled)).toBeNull()
  })

  test('is not waited for in vain', () => {
    expect(stuck(waiting('ImagePullBackOff', 'no such image'))!.reason).toBe(
      'the image n8nio/n8n:2.41.1 cannot be had (no such image)',
    )
    expect(stuck(waiting('CreateContainerConfigError', 'secret "mine" not found'))!.reason).toContain(
      'secret "mine" not found',
    )
    expect(stuck(running(ended('Error', 3), 2))!.reason).toBe('its container n8n ended with exit code 3 while starting')
    expect(stuck(running(ended('OOMKilled', 137), 2))).toMatchObject({
      reason: expect.stringContaining('killed for memory'),
      hint: expect.stringContaining('limits.memory'),
    })
    expect(stuck(unscheduled, Date.parse('2026-11-20T09:01:30Z'))!.reason).toContain('Insufficient cpu')
  })

  test('is waited for although it had ended often before', () => {
    const endedTwice = pod('worker-x', 'worker', { status: running(ended('OOMKilled', 137), 2) })
    const before = restartsOf([endedTwice])
    expect(stuckBecause(endedTwice, { before })).toBeNull()
    const endedTwiceMore = pod('worker-x', 'worker', { status: running(ended('OOMKilled', 137), 4) })
    expect(stuckBecause(endedTwiceMore, { before })!.reason).toContain('killed for memory')
  })

  test('is ready when Kubernetes says so, and not while it goes', () => {
    const ready = { conditions: [{ type: 'Ready', status: 'True' }] }
    expect(isReady(pod('a', 'main', { status: ready }))).toBe(true)
    expect(isReady(pod('a', 'main', { status: ready, deleted: true }))).toBe(false)
    expect(isReady(pod('a', 'main'))).toBe(false)
  })
})

describe('a container’s ends', () => {
  test('are counted through its states: running, ended, waiting for its next start, running again', () => {
    const states = [
      container({ running: {} }),
      container(ended('OOMKilled', 137)),
      container({ waiting: { reason: 'CrashLoopBackOff' } }, { lastState: ended('OOMKilled', 137) }),
      container({ running: {} }, { lastState: ended('OOMKilled', 137), restartCount: 1 }),
    ]
    expect(states.map((state) => endsOfContainer(state).count)).toEqual([0, 1, 1, 1])
  })

  test('are told apart: killed for memory, out of heap, any other', () => {
    expect(exitOf({ reason: 'OOMKilled', exitCode: 137 }, [])).toMatchObject({ reason: 'oom-killed', code: 137 })
    expect(
      exitOf({ reason: 'Error', exitCode: 134 }, ['FATAL ERROR: Reached heap limit Allocation failed']),
    ).toMatchObject({ reason: 'heap-exhausted' })
    expect(exitOf({ reason: 'Error', exitCode: 1 }, ['no database'])).toEqual({
      reason: 'crashed',
      code: 1,
      signal: null,
      log: ['no database'],
    })
  })
})

describe('replicas', () => {
  const workloads = [
    { component: 'main', replicas: 1 },
    { component: 'worker', replicas: 2 },
  ]
  const names = (slots: Map<string, any>) =>
    Object.fromEntries([...slots].map(([slot, { metadata }]) => [slot, metadata.name]))
  const main = pod('main-x', 'main')
  const [one, two] = [
    pod('worker-b', 'worker', { created: '2026-11-20T09:00:00Z' }),
    pod('worker-a', 'worker', { created: '2026-11-20T09:00:01Z' }),
  ]

  test('are named by their pods’ age', () => {
    expect(names(assign(workloads, [two, main, one], new Map()))).toEqual({
      'main-0': 'main-x',
      'worker-0': 'worker-b',
      'worker-1': 'worker-a',
    })
  })

  test('keep their pod while it is there, and are then taken by the one that replaces it', () => {
    const before = assign(workloads, [main, one, two], new Map())
    const late = pod('worker-c', 'worker', { created: '2026-11-20T10:00:00Z' })
    expect(
      names(
        assign(
          workloads,
          [main, { ...one, metadata: { ...one.metadata, deletionTimestamp: 'now' } }, two, late],
          before,
        ),
      ),
    ).toMatchObject({ 'worker-0': 'worker-b' })
    expect(names(assign(workloads, [main, two, late], before))).toEqual({
      'main-0': 'main-x',
      'worker-0': 'worker-c',
      'worker-1': 'worker-a',
    })
  })

  test('are not played by the pods of Jobs', () => {
    expect(
      names(
        assign(workloads, [pod('hook', 'main', { labels: { 'batch.kubernetes.io/job-name': 'hook' } })], new Map()),
      ),
    ).toEqual({})
  })
})

describe('k6’s summary in a log', () => {
  const summary = JSON.stringify({ metrics: { accepted: {} }, state: {} })

  test('is found between what else k6 says, also on the same line', () => {
    expect(summaryIn(`a warning\n${summary}`)).toEqual({ summary, rest: ['a warning'] })
    expect(summaryIn(`a warning${summary}the end\n`).summary).toBe(summary)
  })

  test('is none where k6 ended without one', () => {
    expect(summaryIn('GoError: {"not": "it"}\n')).toEqual({ summary: null, rest: ['GoError: {"not": "it"}'] })
  })
})
