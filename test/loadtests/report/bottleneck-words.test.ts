import { bottleneckInWords } from '../../../loadtests/src/report/bottleneck-words.ts'
import type { FoundBottleneck } from '../../../loadtests/src/judge/bottlenecks/found.ts'

const limit = {
  code: 'cpu-limit',
  by: 'limit',
  process: 'worker-0',
  limit: 0.4,
  share: 0.975,
  throttled: null,
} as const
const cores = { by: 'cores', process: null, used: 0.95, cores: 1, waiting: null } as const
const pool = { code: 'database-pool', by: 'pool', process: 'main-0', most: 1, waiting: 12, isPostgresql: true } as const
const slots = { code: 'concurrency', by: 'slots', process: null, active: 1, most: 1, waiting: 7 } as const

test.each<[said: string, advised: string, found: FoundBottleneck]>([
  [
    'The CPU limit of worker-0 was used up.',
    'worker-0 used 97.5 % of its CPU limit: raise worker.resources.limits.cpu, or make the workflow cheaper. '
      + 'After it comes the event loop of worker-0, at about 2.6 times this throughput.',
    { ...limit, next: { what: 'loop', process: 'worker-0', times: 2.564 } },
  ],
  [
    'The CPU limit of main-0 was used up.',
    'main-0 used 60 % of its CPU limit, which stopped it in 70 % of its periods: raise main.resources.limits.cpu, '
      + 'or set executions.mode: queue, whose workers take the executions off it, or make the workflow cheaper.',
    { ...limit, process: 'main-0', limit: 1, share: 0.6, throttled: 0.7 },
  ],
  [
    'The CPU limit of postgresql-0 was used up.',
    'postgresql-0 used 97.5 % of its CPU limit: raise database.embedded.resources.limits.cpu, or make the workflow '
      + 'cheaper. After it comes the cores that n8n has here, at about the same throughput.',
    { ...limit, process: 'postgresql-0', limit: 2, next: { what: 'cores', process: null, times: 1.1 } },
  ],
  [
    'The event loop of main-0 was full.',
    'main-0 used 1.05 cores, and its event loop runs on one: more CPU does not help, set executions.mode: '
      + 'queue, whose workers take the executions off it.',
    { code: 'event-loop', by: 'loop', process: 'main-0', cpu: 1.05 },
  ],
  [
    'n8n’s processes had no core to spare.',
    'n8n’s processes used 0.95 of their 1 core: give the machine more, or spread n8n over several '
      + '(--target kubernetes).',
    { ...cores, code: 'cores' },
  ],
  [
    'Others took n8n’s cores.',
    'n8n’s processes used 0.95 of their 2 cores, and main-0 waited for one 50 % of the time: close other programs of '
      + 'this machine.',
    { ...cores, code: 'others', cores: 2, waiting: { process: 'main-0', share: 0.5 } },
  ],
  [
    'The heap of worker-0 was full.',
    'worker-0 never held less than 290 MiB, 96.7 % of its heap: raise worker.resources.limits.memory or '
      + 'worker.heap.megabytes, or run fewer executions at once.',
    { code: 'heap', by: 'heap', process: 'worker-0', least: 290 * 2 ** 20, limit: 300 * 2 ** 20 },
  ],
  [
    'Redis answered late.',
    'Redis took 180 ms to answer, and each execution asks it several times. Look at its CPU '
      + '(redis.embedded.resources.limits), its disk, the slow commands of other clients, and the network.',
    { code: 'redis', by: 'redis', process: null, took: 180 },
  ],
  [
    'PostgreSQL read the editor’s list of executions.',
    'Of 2.1 connections at work in PostgreSQL, 1.8 read the list that open editors poll, for which n8n has no index: '
      + 'set database.indexes.executionList: true.',
    { code: 'execution-list', by: 'lists', process: null, reading: 1.8, active: 2.1 },
  ],
  [
    'PostgreSQL waited for its disk.',
    'PostgreSQL waited for its disk in 90 % of the looks: give it a faster one '
      + '(database.embedded.persistence.storageClass), or write less with tuning.tier: lean.',
    { code: 'database-disk', by: 'disk', process: null, share: 0.9 },
  ],
  [
    'The database connections of main-0 were all in use.',
    'main-0 may open 1 to its database, and 12 requests waited for one on average: raise database.poolSize, and '
      + 'database.maxConnections with it. After it comes PostgreSQL’s disk, at about 5 times this throughput.',
    { ...pool, next: { what: 'disk', process: null, times: 5 } },
  ],
  [
    'The database connections of main-0 were all in use.',
    'main-0 may open 1 to its database, and 12 requests waited for one on average: set database.type: embedded, since '
      + 'SQLite writes one thing at a time.',
    { ...pool, isPostgresql: false },
  ],
  [
    'The workers ran as many executions as they may.',
    '1 of at most 1 executions ran at once, and 7 waited: raise worker.concurrency, or worker.replicas.',
    slots,
  ],
  [
    'Main ran as many executions as it may.',
    '5 of at most 5 executions ran at once: raise main.extraEnv.N8N_CONCURRENCY_PRODUCTION_LIMIT.',
    { ...slots, active: 5, most: 5, waiting: null },
  ],
  [
    'main-0 was busy for 68 % of the time, and callers who came at once waited in turn.',
    'Its event loop runs on one core: more CPU does not help, set executions.mode: queue, whose workers take the '
      + 'executions off it, or make the workflow cheaper.',
    { code: 'event-loop', by: 'thread', process: 'main-0', busy: 0.68 },
  ],
  [
    '',
    'No process was out of CPU, the busiest, worker-0, used 10 % of its CPU limit, and nothing else that the lab sees '
      + 'was used up.',
    { code: 'unknown', by: 'nothing', process: null, busiest: { process: 'worker-0', cpu: 0.1, share: 0.1 } },
  ],
  [
    '',
    'Find out which process is out of CPU: that of a webhook is main’s, in queue mode the webhook processor’s or the '
      + 'worker’s.',
    { code: 'unknown', by: 'nothing', process: null, busiest: null },
  ],
])('%s %s', (what, advice, found) => {
  expect(bottleneckInWords(found)).toEqual({ code: found.code, process: found.process, what, advice })
})
