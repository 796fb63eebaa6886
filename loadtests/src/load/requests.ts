import type { Calls } from '../../scenarios/request.ts'
import type { PlannedPart, PlannedStep } from '../model/step.ts'

/** What k6 has to send, as JSON: every kind of request to every workflow. Undefined if it is one URL. */
export function requestsOf({ url, method, requests, mix, tables = [] }: PlannedStep): string | undefined {
  if (!mix && !requests) return undefined
  const parts: Pick<PlannedPart, 'url' | 'method' | 'requests' | 'weight'>[] = mix ?? [
    { url, method, requests, weight: 1 },
  ]
  const calls = parts.flatMap((part, index) => shared(part).map((request) => ({ ...request, workflow: index })))
  return JSON.stringify({ calls, tables } satisfies Calls)
}

const bare = { headers: {}, body: null, weight: 1, expect: { status: null, json: null, text: null }, table: null }

/** The kinds of requests to one workflow share its weight. */
function shared({
  url,
  method,
  requests = [{ ...bare, url, method }],
  weight,
}: Pick<PlannedPart, 'url' | 'method' | 'requests' | 'weight'>) {
  const all = requests.reduce((sum, request) => sum + request.weight, 0)
  return requests.map((request) => ({ ...request, weight: (weight * request.weight) / all }))
}
