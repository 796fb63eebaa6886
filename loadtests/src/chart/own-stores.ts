import { usage } from '../lib/errors.ts'
import type { Plan } from './plan.ts'

/** A store that n8n keeps its data in. The chart starts the first two; a bucket is always somebody else's. */
type Store = 'postgresql' | 'redis' | 's3'

interface NamedStore {
  store: Store
  /** The variable that names it, and the address it gives. */
  variable: string
  address: string
}

/** n8n connects to this host where it is told to use such a store, and not which. */
const unnamed = 'localhost'

const variables: [Store, RegExp][] = [
  ['postgresql', /^(DB_\w+_HOST|N8N_ENGINE_DATABASE_URL)(_FILE)?$/],
  ['redis', /^QUEUE_BULL_REDIS_(HOST|CLUSTER_NODES|SENTINELS?)(_FILE)?$/],
  ['s3', /^N8N_EXTERNAL_STORAGE_S3_HOST(_FILE)?$/],
]

/** Every store that a container of the plan is told to use, and that the plan does not start. */
export function storesOfOthers(plan: Pick<Plan, 'workloads' | 'services'>): NamedStore[] {
  const named = plan.workloads.flatMap(({ init, containers }) =>
    [...init, ...containers].flatMap(({ env }) => storesIn(env)),
  )
  const others = named.filter((one) => !isOwn(one, plan))
  return [...new Map(others.map((one) => [`${one.variable} ${one.address}`, one])).values()]
}

/** A URL in any variable, such as one of a script that waits for the database. */
const urls = /\b(postgres(?:ql)?|mysql|mariadb|rediss?):\/\/(?:[^@/\s]*@)?([^/\s?]+)/gi

function storesIn(env: Record<string, string>): NamedStore[] {
  const named = Object.entries(env).flatMap(([variable, value]): NamedStore[] => {
    const [store] = variables.find(([, pattern]) => pattern.test(variable)) ?? []
    if (store) return value === '' ? [] : value.split(',').map((address) => ({ store, variable, address }))
    return [...value.matchAll(urls)].map(([, scheme, address]) => ({
      store: /^redis/i.test(scheme!) ? 'redis' : 'postgresql',
      variable,
      address: address!,
    }))
  })
  const names = (store: Store) => named.some((one) => one.store === store)
  const assumed = (store: Store, variable: string) => ({ store, variable, address: unnamed })
  return [
    ...named,
    ...(/^(postgres|mysql|maria)db$/.test(env.DB_TYPE ?? '') && !names('postgresql')
      ? [assumed('postgresql', 'DB_TYPE')]
      : []),
    ...(env.EXECUTIONS_MODE === 'queue' && !names('redis') ? [assumed('redis', 'EXECUTIONS_MODE')] : []),
    ...(env.N8N_CACHE_BACKEND === 'redis' && !names('redis') ? [assumed('redis', 'N8N_CACHE_BACKEND')] : []),
  ]
}

/** Its address is a Service of the plan, before a pod of the plan that is such a store. */
function isOwn(
  { store, variable, address }: NamedStore,
  { workloads, services }: Pick<Plan, 'workloads' | 'services'>,
): boolean {
  if (variable.endsWith('_FILE')) return false
  if (!workloads.some(({ component, replicas }) => component === store && replicas > 0)) return false
  return services.some(
    ({ name, port, component }) => component === store && (address === name || address === `${name}:${port}`),
  )
}

/** An n8n that starts on a store migrates it, writes to it and loads it: it must be one that the lab starts. */
export function refuseStoresOfOthers(plan: Pick<Plan, 'workloads' | 'services'>): void {
  const others = storesOfOthers(plan)
  if (others.length === 0) return
  const named = others.map(({ variable, address }) => `${variable} ${address}`).join(', ')
  throw usage(
    'store-of-others',
    `Expected n8n’s stores to be ones that the lab starts, got ${named}.`,
    'Set database.type and redis.type to embedded and leave such variables out; or measure the n8n that runs '
      + 'there with --target URL.',
  )
}
