/**
 * What a component answered at /metrics. Webhook processors serve metrics only since n8n 2: earlier ones answer 404,
 * and count no executions.
 */
export function servedMetrics(component: string, answer: { status: number; text: string } | null): string | null {
  if (answer?.status === 200) return answer.text
  return component === 'webhook' && answer?.status === 404 ? '' : null
}
