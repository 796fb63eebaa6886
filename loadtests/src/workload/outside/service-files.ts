import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { yamlValue } from '../../lib/yaml.ts'
import { z } from 'zod'
import { byName } from '../../lib/json.ts'
import { paths } from '../../lib/paths.ts'
import { outsideLatency } from '../../model/outside.ts'

/** A file of loadtests/services: how a service answers, how long it takes, and the items that its triggers hand on. */

const route = z.strictObject({
  /** The method and the path: `POST /v1/chat/completions`; `*` stands for any text, and a path alone for any method. */
  on: z.string().regex(/^([A-Z]+ )?[/*]/, 'a method and a path, such as POST /v1/*'),
  status: z.number().int().min(100).max(599).default(200),
  headers: z.record(z.string(), z.string()).default({}),
  /** Sent as JSON, a text as it is. `{{body.name}}`, `{{query.name}}` and `{{path.1}}` come from the request. */
  answer: z.unknown().optional(),
  /** A file of loadtests/samples. */
  file: z.string().optional(),
  /** An answer that takes code: a function of workload/outside/answers. */
  use: z.string().optional(),
  /** What a query names a later page by. It is an empty list, since nodes ask for pages until one is. */
  laterBy: z.string().optional(),
  latency: outsideLatency.optional(),
})

const serviceSchema = z.strictObject({
  service: z.string().min(1),
  /** `*` stands for any text. */
  hosts: z.array(z.string().min(1)),
  /** Types of credentials whose made ones lead here. */
  credentials: z.array(z.string()).default([]),
  latency: outsideLatency,
  /** Where the latency is from. */
  source: z.string().min(1),
  routes: z.array(route).default([]),
  /** By the type of the trigger: the item that it hands on. */
  triggers: z.record(z.string(), z.unknown()).default({}),
})

export type ServiceFile = z.infer<typeof serviceSchema>
export type Route = ServiceFile['routes'][number]

let read: ServiceFile[] | undefined

/** All of them, in the order of their names. */
export const serviceFiles = (): ServiceFile[] =>
  (read ??= readdirSync(paths.services)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => {
      const { data, error } = serviceSchema.safeParse(yamlValue(readFileSync(join(paths.services, name), 'utf8')))
      if (!data) throw new Error(`loadtests/services/${name}: ${z.prettifyError(error)}`)
      return data
    }))

/** The item that a trigger of a service hands on; undefined where no file has it. */
export const triggerItem = (type: string): unknown =>
  serviceFiles()
    .map(({ triggers }) => byName(triggers))
    .map((triggers) => triggers[type] ?? triggers[type.split('.').at(-1)!])
    .find((item) => item !== undefined)
