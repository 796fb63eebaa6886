import { z } from 'zod'
import { parseDuration } from '../lib/units.ts'
import { parseYaml, readYaml } from './yaml-file.ts'

/** The mock for the services that workflows call, under `outside` of a profile or in a file of its own. */

const time = z.unknown().transform((given, ctx) => {
  const ms = typeof given === 'string' ? parseDuration(given) : undefined
  if (ms !== undefined) return ms
  ctx.addIssue({ code: 'custom', message: 'a duration such as 80ms or 2s' })
  return z.NEVER
})

/** A single duration: every answer takes exactly as long. */
export const outsideLatency = z
  .unknown()
  .transform((given, ctx) => {
    if (typeof given === 'object' && given !== null) return given
    if (typeof given === 'string' && parseDuration(given) !== undefined) return { p50: given, p95: given }
    ctx.addIssue({ code: 'custom', message: 'a duration such as 80ms or 2s, or its p50 and p95' })
    return z.NEVER
  })
  .pipe(
    z
      .strictObject({ p50: time, p95: time })
      .refine(({ p50, p95 }) => p95 >= p50, { path: ['p95'], message: 'a duration of p50 or longer' }),
  )

export const OutsideRule = z.strictObject({
  /** As in the URL, with its port unless it is the usual one; `*` stands for any text. */
  host: z.string().min(1),
  path: z.string().regex(/^[/*]/, 'a path such as /v1/*').default('*'),
  method: z.string().toUpperCase().optional(),
  /** 200 unless given. */
  status: z.number().int().min(200).max(599).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** A string is sent as it is, anything else as JSON. */
  body: z.unknown().optional(),
  /** Bytes, instead of a body. */
  base64: z.string().optional(),
  latency: outsideLatency.default({ p50: 0, p95: 0 }),
  /** Nobody has said that it is right. */
  guessed: z.literal(true).optional(),
})

export const Outside = z.strictObject({
  /** The first rule that matches answers. */
  rules: z.array(OutsideRule).default([]),
  /** A file of rules, for example one that --record-outside wrote; these rules come first. */
  recorded: z.string().min(1).optional(),
  /** `host:port` of databases and brokers that n8n may reach. */
  allow: z.array(z.string().regex(/^[^\s:/]+:\d+$/, 'a host with its port, such as db.example.com:5432')).default([]),
})

export type Outside = z.infer<typeof Outside>
export type OutsideRule = z.infer<typeof OutsideRule>

/** A file with the content of a profile's `outside`: rules written by hand, or recorded ones. */
export const loadOutside = async (file: string): Promise<Outside> =>
  parseYaml(Outside, await readYaml(file), {
    file,
    whole: 'the file',
    keys: Object.keys(Outside.shape),
    page: 'docs/workload.md',
  }).parsed

/** How the calls of workflows to other services are answered. */
export interface OutsideOrder {
  rules: OutsideRule[]
  /** `host:port` that may be reached. */
  allow: string[]
  /** A file for the answers of the real services; null if they are not called. */
  record: string | null
  /** What the workflows read of answers; absent where a call without a rule is refused. */
  hints?: Hint[]
}

/** What a workflow reads of an answer: a sample of all of it, and of what has to be so for its main branch to run. */
export interface AnswerFit {
  sample: unknown
  must: unknown
}

/** What the workflow under load will read of an answer. */
export interface Hint extends AnswerFit {
  /** Of the node that asks. */
  node: string
  /** What its made credentials are told by, and those of its models and tools. */
  by?: string[]
  /** Where it asks, as patterns; absent for a node of a service, and for a prompt. */
  host?: string
  path?: string
  method?: string
  /** The service by the name of its file. */
  service?: string
  /** Documents, sheets or indexes that its node names. */
  names?: { id: string; name: string }[]
  /** Columns that its node writes. */
  columns?: string[]
  /** Columns by which its node looks for rows, with the value that it looks for where that is a constant. */
  sought?: Record<string, unknown>
  /** A part of the prompt, for models. */
  prompt?: string
  /** The ending of a file of that kind, or `json`: what the nodes after it can work with. */
  as?: string
  /** The sample is what the service answered in an execution that was given, and it took so many milliseconds. */
  took?: number
}

/** Services that are asked by other means than a proxy, and the ports at which the mock has them. */
export const besideNames = ['smtp', 'postgres', 'mysql', 'redis', 'qdrant'] as const
export type Ports = Record<(typeof besideNames)[number], number>

/** Where n8n reaches them. */
export interface MockAddress {
  host: string
  ports: Partial<Ports>
}

/** What stands for that address in a credential that the lab made up, until the mock is there. */
export const mockHost = 'n8n-tuned host of the mock'
export const mockPort = (service: string) => `n8n-tuned port of ${service}`

/** Whether a credential was made up to lead there. */
export const leadsToMock = (credential: object): boolean => JSON.stringify(credential).includes(mockHost)

/** The credentials with the mock's address in them. */
export const withMockAddress = (credentials: object[], { host, ports }: MockAddress): object[] =>
  JSON.parse(
    Object.entries(ports).reduce(
      (text, [name, port]) =>
        text.replaceAll(`"${mockPort(name)}"`, String(port)).replaceAll(mockPort(name), String(port)),
      JSON.stringify(credentials).replaceAll(mockHost, host),
    ),
  ) as object[]

/** The calls of workflows to the outside, and what answering them cost. */

export const Call = z.strictObject({
  host: z.string(),
  method: z.string(),
  path: z.string().describe('With * for ids.'),
  outcome: z
    .enum(['answered', 'guessed', 'passed', 'refused'])
    .describe(
      'By a rule or a file of services, by a guess, by the real service during a recording, or with a refusal.',
    ),
  count: z.number(),
  waited: z
    .strictObject({
      mean: z.number().optional().describe('Absent in runs of earlier versions.'),
      p50: z.number(),
      p95: z.number(),
    })
    .describe('Milliseconds that n8n waited for the whole answer.'),
})
export type Call = z.infer<typeof Call>

export const OutsideCount = z.strictObject({
  calls: z.array(Call),
  cpu: z
    .strictObject({ seconds: z.number(), peak: z.number() })
    .describe('The CPU time of the mock itself; the peak is cores in the busiest second.'),
  turnedAway: z
    .number()
    .nullable()
    .describe('Packets to other machines that the network rejected; null if n8n uses the machine’s network.'),
  left: z.array(z.string()).describe('Connections past the mock, seen in the machine’s network: address:port.'),
  policy: z
    .boolean()
    .optional()
    .describe('In a cluster: whether a policy was seen to keep the pods of the run from what is none of theirs.'),
  perRequest: z
    .strictObject({ calls: z.number(), waited: z.number().describe('Milliseconds, of all its calls together.') })
    .optional()
    .describe('On average over all accepted requests; absent in the record of a run, and without means.'),
})
export type OutsideCount = z.infer<typeof OutsideCount>
