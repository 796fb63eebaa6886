/** /metrics as n8n writes it, shortened. */
export function metricsText(of: {
  startedAt: number
  started?: number
  succeeded?: number
  failed?: number
  memory?: Pick<NodeJS.MemoryUsage, 'heapTotal' | 'heapUsed' | 'external'>
  line0?: boolean
}): string
