import { until } from '../../../loadtests/src/lib/await.ts'
import type { Side } from '../side.ts'
import { eventsOf } from './events.ts'
import { filesOf } from './files.ts'
import { learn, type Known } from './known.ts'
import { metricsOf } from './metrics.ts'
import { makeAnswerComparable, makeComparable, makeTablesComparable } from './normalise.ts'
import { withNotesAdded } from './statistics.ts'

/** All that can be seen of one side, in a form that two sides can be compared in. */
export interface Observation {
  tables: unknown
  metrics: unknown
  events: unknown
  files: unknown
  /** What workflows asked of the service that stands in for others. */
  calls: unknown
  /** What the cases saw, by their names. */
  answers: Record<string, unknown>
}

/** Once two looks in a row see the same: n8n writes statistics, insights and events after the fact. */
export async function observe(side: Side, answers: Record<string, unknown>): Promise<Observation> {
  let last = ''
  let observation: Observation | undefined
  await until(
    async () => {
      observation = await look(side, answers)
      const before = last
      last = JSON.stringify(observation)
      return before === last
    },
    { timeout: 30_000, every: 3000 },
  )
  return observation!
}

async function look({ database, roles, outside }: Side, answers: Record<string, unknown>): Promise<Observation> {
  const each = async <T>(ask: (role: Side['roles'][number]) => Promise<T>) =>
    Object.fromEntries(await Promise.all(roles.map(async (role) => [role.name, await ask(role)] as const)))
  const names = await database.tables()
  const tables = withNotesAdded(
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await database.rows(name)] as const))),
  )
  const events = await each(({ home }) => eventsOf(home))
  const known = learn(tables, { events, answers })
  return {
    tables: makeTablesComparable(tables, known),
    metrics: makeComparable(await each(({ url }) => metricsOf(url)), known),
    events: ordered(events, known),
    files: ordered(await each(({ home }) => filesOf(home)), known),
    calls: ordered({ outside: outside.requests }, known),
    answers: Object.fromEntries(
      Object.entries(answers).map(([name, seen]) => [name, makeAnswerComparable(seen, known)]),
    ),
  }
}

/** Each list in an order that does not depend on the moment. */
function ordered(lists: Record<string, unknown[]>, known: Known): Record<string, unknown[]> {
  const sort = (list: unknown[]) =>
    list
      .map((one) => JSON.stringify(makeComparable(one, known)))
      .sort()
      .map((one) => JSON.parse(one) as unknown)
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, sort(list)]))
}
