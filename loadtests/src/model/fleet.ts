import { z } from 'zod'

/** What a run says about a fleet: what each part spends on one execution, and how long callers waited. */

export const partNames = ['main', 'webhook', 'worker', 'runner', 'redis', 'postgresql'] as const
export const Part = z.enum(partNames)
export type Part = z.infer<typeof Part>

const orUnknown = z.number().nullable()

export const Demand = z
  .strictObject({
    part: Part,
    seconds: z.number().describe('CPU seconds for one execution.'),
    within: orUnknown.describe('The ± of that, right 9 times in 10; null where too few steps tell.'),
    idle: z.number().describe('Cores that one process uses without any load.'),
    idleKnown: z.boolean().describe('Whether steps of several rates tell the load from the idle use.'),
    processes: z.strictObject({ least: z.number(), most: z.number() }).describe('How many of them were measured.'),
    cpu: orUnknown.describe('The CPU limit of one, in cores.'),
    threads: z.number().describe('Cores that it uses while its event loop is full: 1 without other threads.'),
    memory: orUnknown.describe('The memory limit of one, in bytes.'),
    peak: orUnknown.describe('The most memory that one used, in bytes.'),
    connections: orUnknown.describe('To PostgreSQL that one may open, by its own count.'),
  })
  .describe('What one part of n8n spends on an execution.')
export type Demand = z.infer<typeof Demand>

export const Fleet = z
  .strictObject({
    steps: z.int().describe('Steps of load that it rests on.'),
    rates: z.strictObject({ least: z.number(), most: z.number() }).describe('Executions a second in those steps.'),
    demands: z.array(Demand),
    slots: orUnknown.describe('Executions that one worker runs at a time.'),
    held: z.number().describe('Seconds that an execution holds its slot and uses no CPU, such as for other services.'),
    heldVariation: z.number().describe('The squared coefficient of variation of that time.'),
    heap: z
      .strictObject({ each: z.number(), idle: z.number() })
      .nullable()
      .describe(
        'Bytes that an execution holds in the heap of its worker, and that a worker holds without one; null where '
          + 'executions hold little, or nothing tells.',
      ),
    atOnce: z.boolean().describe('Callers are answered before their execution ends.'),
    delay: z.number().describe('Seconds of the mean latency that no part’s CPU explains.'),
    variation: z.number().describe('Squared coefficient of variation of what executions demand.'),
    pause: z
      .strictObject({ cpu: z.number(), every: z.number() })
      .nullable()
      .describe('CPU seconds for which a worker stands still, such as to collect garbage, each so many executions.'),
    regular: z
      .strictObject({ seconds: z.number(), within: orUnknown })
      .describe('CPU seconds of an execution in regular mode, where one process does everything.'),
    basis: z
      .enum(['queue', 'regular', 'kind'])
      .describe('What it rests on: runs in queue mode, runs in regular mode, or a kind of workflow that we measured.'),
    fromCallers: z.boolean().describe('Whether any of the steps has latencies.'),
    execution: z
      .strictObject({
        transactions: orUnknown,
        written: orUnknown.describe('Bytes in PostgreSQL’s journal.'),
        kept: orUnknown.describe('Bytes by which the database grows.'),
        commands: orUnknown.describe('Commands that Redis ran.'),
        busy: orUnknown.describe('Seconds for which a connection to PostgreSQL is at work.'),
      })
      .describe('What one execution asks of the stores; null where it was not recorded.'),
  })
  .describe('What a capacity model needs of a run in queue mode.')
export type Fleet = z.infer<typeof Fleet>

export const Size = z
  .strictObject({
    webhook: z.number(),
    worker: z.number(),
    main: z.number(),
    workerCpu: z.number().describe('Cores of one worker; in regular mode of n8n.'),
    workerMemory: z.number().describe('Bytes of one worker, 0 where there is no limit; in regular mode of n8n.'),
  })
  .describe('A fleet as it could be built; without processors and workers in regular mode.')
export type Size = z.infer<typeof Size>
