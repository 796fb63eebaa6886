import { z } from 'zod'
import { usage } from '../../lib/errors.ts'

/** The keys of a request, in a profile and in a file. Messages continue "Expected …". */

const scalar = z.union([z.string(), z.number(), z.boolean()], 'a text, a number or true or false').transform(String)

/** A text, or the name of an environment variable that holds it, because a file in git must not hold secrets. */
const secret = z
  .union([z.string(), z.strictObject({ env: z.string() })], 'a text, or { env: NAME }')
  .transform((given, ctx) => {
    if (typeof given === 'string') return given
    const value = process.env[given.env]
    if (value !== undefined) return value
    ctx.addIssue({ code: 'custom', message: `the environment variable ${given.env} to be set` })
    return z.NEVER
  })

const algorithms = ['HS256', 'HS384', 'HS512'] as const

const auth = z.union(
  [
    z.strictObject({ basic: z.strictObject({ user: secret, password: secret }) }),
    z.strictObject({ header: z.strictObject({ name: z.string().min(1), value: secret }) }),
    z.strictObject({ bearer: secret }),
    z.strictObject({
      jwt: z.strictObject({
        secret,
        algorithm: z.enum(algorithms).default('HS256'),
        payload: z.record(z.string(), z.unknown()).default({}),
      }),
    }),
  ],
  'one of basic { user, password }, header { name, value }, bearer, or jwt { secret }',
)

const file = z.union(
  [
    z.string().min(1),
    z.strictObject({ path: z.string().min(1), name: z.string().optional(), type: z.string().optional() }),
  ],
  'a path, or { path, name, type }',
)

export const requestSchema = z
  .strictObject({
    /** The trigger, if there are several: its name, or its path. */
    webhook: z.string().min(1).optional(),
    weight: z.number().positive().default(1),
    method: z.string().toUpperCase().optional(),
    params: z.record(z.string(), scalar).default({}),
    query: z.record(z.string(), z.union([scalar, z.array(scalar)])).default({}),
    headers: z.record(z.string(), secret).default({}),
    auth: auth.optional(),
    /** JSON, or text that is sent unchanged. */
    body: z.unknown().optional(),
    /** Fields of a form. */
    form: z.record(z.string(), scalar).optional(),
    /** A file that is the body. */
    file: file.optional(),
    /** Files of a form, as a browser uploads them. */
    files: z.record(z.string(), file).optional(),
    /** A CSV file whose rows are {{row.column}}, one for each request. */
    rows: z.string().min(1).optional(),
    expect: z
      .strictObject({
        status: z.union([z.number().int(), z.array(z.number().int()).min(1)], 'a status, or a list of them').optional(),
        json: z.record(z.string(), z.unknown()).optional(),
        text: z.string().optional(),
      })
      .default({}),
  })
  .refine(
    ({ body, form, file: bytes, files }) =>
      [body !== undefined, bytes !== undefined, form !== undefined || files !== undefined].filter(Boolean).length < 2,
    { message: 'one of body, file, or form with files' },
  )

export type RequestSpec = z.infer<typeof requestSchema>
export type RequestGiven = z.input<typeof requestSchema>
export type Auth = NonNullable<RequestSpec['auth']>

export const badRequest = (where: string, problem: string, hint = 'docs/workload.md lists what a request may say.') =>
  usage('bad-request', `${where}: ${problem}`, hint)

/** Reads one request, or a list of kinds of them. Errors say where, and never quote the input, which may be secret. */
export function parseRequests(given: unknown, where: string): RequestSpec[] {
  const all = Array.isArray(given) ? given : [given]
  if (!all.length) throw badRequest(where, 'Expected a request, got an empty list.')
  return all.map((one, index) => parseRequest(one, Array.isArray(given) ? `${where}, request ${index + 1}` : where))
}

export function parseRequest(given: unknown, where: string): RequestSpec {
  const parsed = requestSchema.safeParse(given)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues
  const stray = issues.find(({ code }) => code === 'unrecognized_keys') as z.core.$ZodIssueUnrecognizedKeys | undefined
  if (stray)
    throw badRequest(
      where,
      `Expected ${at(stray.path)} without the key "${stray.keys[0]}", got it.`,
      `A request has ${Object.keys(requestSchema.shape).join(', ')}: put the data to send under body.`,
    )
  const [issue] = issues as [z.core.$ZodIssue]
  throw badRequest(where, `${at(issue.path)}: Expected ${expectation(issue)}, got something else.`)
}

const at = (path: PropertyKey[]) => path.join('.') || 'a request'

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return issue.expected === 'object' || issue.expected === 'record' ? 'a map' : `a ${issue.expected}`
  if (issue.code === 'invalid_value') return issue.values.join(' or ')
  if (issue.code === 'too_small') return issue.origin === 'number' ? `more than ${issue.minimum}` : 'at least one'
  return issue.message
}
