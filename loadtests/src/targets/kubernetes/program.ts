import { until } from '../../lib/await.ts'
import { readinessErrors } from '../readiness-errors.ts'
import type { Api } from './api.ts'
import { stuckBecause } from './standing.ts'

const patience = 180_000

/** The pod of one of the lab's own programs, once its container runs or has ended. */
export async function programStarted(api: Api, namespace: string, program: string, signal?: AbortSignal): Promise<any> {
  const found = await until(
    async () => {
      const one = await podOf(api, namespace, program)
      const state = one?.status.containerStatuses?.[0]?.state
      if (state?.running || state?.terminated) return one
      const stuck = one && stuckBecause(one)
      if (stuck) throw readinessErrors.neverReady(program, stuck.reason, stuck.hint, [])
      return undefined
    },
    { timeout: patience, every: 100, signal },
  )
  signal?.throwIfAborted()
  if (!found)
    throw readinessErrors.neverReady(
      program,
      `its pod did not start within ${patience / 1000} s`,
      'kubectl describe says why, while it is there.',
      [],
    )
  return found
}

export async function podOf(api: Api, namespace: string, program: string): Promise<any> {
  const selector = encodeURIComponent(`n8n-tuned/program=${program}`)
  return (await api.get(`/api/v1/namespaces/${namespace}/pods?labelSelector=${selector}`)).items[0]
}
