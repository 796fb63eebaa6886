import type { Article } from './article.ts'
import { balancing } from './balancing.ts'
import { clustering } from './clustering.ts'
import { limits } from './limits.ts'
import type { Row } from './measure.ts'
import { memory } from './memory.ts'
import { reload } from './reload.ts'
import { webhooks } from './webhooks.ts'

export const articles: Record<string, Article> = {
  clustering,
  memory,
  balancers: balancing,
  'webhook-balancers': webhooks,
  limits,
  'pm2-reload': reload,
}

/** What is kept of an article that was measured: the tables of the docs come from it. */
export interface Measured {
  article: string
  command: string
  startedAt: number
  machine: { cpu: string; cores: number; memory: number }
  loadAverage: number | null
  versions: Record<string, string>
  rows: Row[]
}
