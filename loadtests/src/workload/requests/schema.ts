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
