import { usage } from '../errors.ts'
import type { Container, Plan } from './plan.ts'

/**
 * Refuses a plan with a container that would reach a database or a Redis which is not of the plan. A run imports
 * workflows and loads them, and must never do that on data of others.
 */
export function refuseForeignStores({ workloads, services }: Pick<Plan, 'workloads' | 'services'>): void {
  const own = new Set(services.map(({ name }) => name))
  for (const { component, init, containers } of workloads) {
    for (const container of [...init, ...containers]) {
      const foreign = storesOf(container).find(({ host }) => !own.has(host))
      if (!foreign) continue
      throw usage(
        'foreign-store',
        `Expected every store of the plan to be of the run itself, got ${foreign.host || 'none'} as `
          + `${foreign.variable} of ${component} (container ${container.name}).`,
        `Leave ${foreign.variable} out of the values, or measure the n8n that runs with --target URL.`,
      )
    }
  }
}

interface Store {
  variable: string
  host: string
}

/** The hosts that n8n would take for its database and its queue, by its own defaults where nothing is said. */
function storesOf({ env }: Container): Store[] {
  const database = /^(postgres|mysql|maria)/.exec(env.DB_TYPE ?? '')?.[1]
  const prefix = database && { postgres: 'DB_POSTGRESDB', mysql: 'DB_MYSQLDB', maria: 'DB_MYSQLDB' }[database]
  const queue = env.EXECUTIONS_MODE === 'queue' || env.N8N_CACHE_BACKEND === 'redis'
  return [
    ...named(env),
    ...(prefix && !env[`${prefix}_HOST`] ? [{ variable: `${prefix}_HOST`, host: '' }] : []),
    ...(queue && !env.QUEUE_BULL_REDIS_HOST && !env.QUEUE_BULL_REDIS_CLUSTER_NODES
      ? [{ variable: 'QUEUE_BULL_REDIS_HOST', host: '' }]
      : []),
  ]
}

const hosts = /^(DB_\w+_HOST|QUEUE_BULL_REDIS_HOST)$/
const url = /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|tcp):\/\/(?:[^@/\s]*@)?([^:/\s?]+)/gi

function named(env: Container['env']): Store[] {
  return Object.entries(env).flatMap(([variable, value]) => {
    if (hosts.test(variable)) return [{ variable, host: value }]
    if (variable === 'QUEUE_BULL_REDIS_CLUSTER_NODES')
      return value.split(',').map((node) => ({ variable, host: node.trim().split(':')[0]! }))
    return [...value.matchAll(url)].map(([, host]) => ({ variable, host: host! }))
  })
}
