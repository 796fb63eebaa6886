import { parse } from 'flatted'
import { until } from '../../../loadtests/src/await.ts'
import type { Row } from '../database.ts'
import type { Side } from '../side.ts'
import { eventsOf } from './events.ts'
import { filesOf } from './files.ts'
import { metricsOf } from './metrics.ts'
import { learn, makeComparable, makeTablesComparable } from './normalise.ts'

/** All that can be seen of one side but its answers, in a form that two sides can be compared in. */
export interface Observation {
  tables: Record<string, unknown[]>
  metrics: Record<string, Record<string, number>>
  events: Record<string, unknown[]>
  files: Record<string, [string, string][]>
  /** What workflows asked of the service that stands in for others. */
  calls: unknown[]
  /** The same for answers, which were seen before n8n's ids were known. */
  comparable(value: unknown): unknown
}

/** Once two looks in a row see the same: n8n writes statistics, insights and events after the fact. */
export async function observe(side: Side): Promise<Observation> {
  let last = ''
  let observation: Observation | undefined
  await until(
    async () => {
      observation = await look(side)
      const before = last
      last = JSON.stringify(observation)
      return before === last
    },
    { timeout: 20_000, every: 1000 },
  )
  return observation!
}

async function look({ database, roles, outside }: Side): Promise<Observation> {
  const names = await database.tables()
  const raw = Object.fromEntries(await Promise.all(names.map(async (name): Promise<[string, Row[]]> => [name, (await database.rows(name)).map(unpack)])))
  const known = learn(raw)
  const each = async <T>(ask: (role: Side['roles'][number]) => Promise<T>) => Object.fromEntries(await Promise.all(roles.map(async (role) => [role.name, await ask(role)] as const)))
  const comparable = (value: unknown) => makeComparable(value, known)
  return {
    tables: makeTablesComparable(raw, known),
    metrics: await each(({ url }) => metricsOf(url)),
    events: await each(async ({ home }) => sorted((await eventsOf(home)).map(comparable))),
    files: await each(async ({ home }) => sorted((await filesOf(home)).map((one) => comparable(one) as [string, string]))),
    calls: sorted(outside.requests.map(comparable)),
    comparable,
  }
}

/** Columns that hold JSON as text, or what n8n packs an execution's data into. */
function unpack(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, name === 'data' ? fromFlatted(value) : fromJson(value)]))
}

function fromFlatted(value: unknown): unknown {
  try {
    return withoutCircles(parse(String(value)))
  } catch {
    return fromJson(value)
  }
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function withoutCircles(value: unknown, above: unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (above.includes(value)) return '(circle)'
  const inner = [...above, value]
  if (Array.isArray(value)) return value.map((one) => withoutCircles(one, inner))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutCircles(one, inner)]))
}

const sorted = <T>(list: T[]): T[] => list.map((one): [string, T] => [JSON.stringify(one), one]).sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
