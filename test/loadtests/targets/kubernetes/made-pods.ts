/** A pod as the API server tells it. */
export function pod(
  name: string,
  component: string,
  over: { uid?: string; created?: string; deleted?: boolean; status?: object; labels?: object } = {},
): any {
  const { uid = name, created = '2026-11-20T09:00:00Z', deleted, status = running(), labels } = over
  return {
    metadata: {
      name,
      uid,
      creationTimestamp: created,
      labels: { 'app.kubernetes.io/component': component, ...labels },
      ...(deleted && { deletionTimestamp: created }),
    },
    spec: { containers: [{ name: 'n8n' }], initContainers: [{ name: 'wait' }] },
    status,
  }
}

export const container = (state: object, { lastState = {}, restartCount = 0, name = 'n8n' } = {}) => ({
  name,
  image: 'n8nio/n8n:2.41.1',
  ready: false,
  state,
  lastState,
  restartCount,
})
export const running = (lastState = {}, restartCount = 0, startedAt = `start ${restartCount}`) => ({
  containerStatuses: [container({ running: { startedAt } }, { lastState, restartCount })],
})
export const ended = (reason: string, exitCode: number) => ({ terminated: { reason, exitCode } })
