import { z } from 'zod'
import { badRequest, parseRequest, type RequestGiven, type RequestSpec } from './schema.ts'
import { carriedHeaders } from './headers.ts'

/** The fields of an HTTP archive that describe what was sent. */
const Har = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({
          method: z.string(),
          url: z.string().refine((url) => URL.canParse(url), 'Expected a URL'),
          headers: z.array(z.object({ name: z.string(), value: z.string() })),
          postData: z
            .object({
              mimeType: z.string().optional(),
              text: z.string().optional(),
              params: z
                .array(z.object({ name: z.string(), value: z.string().optional(), fileName: z.string().optional() }))
                .optional(),
            })
            .nullish(),
        }),
      }),
    ),
  }),
})

type HarRequest = z.infer<typeof Har>['log']['entries'][number]['request']

/** The requests to webhooks that a browser or a proxy recorded. */
export function fromHar(given: unknown, where: string): RequestSpec[] {
  const { data, error } = Har.safeParse(given)
  if (error)
    throw badRequest(
      where,
      `${error.issues[0]!.path.join('.')}: Expected an HTTP archive (HAR) as browsers write it, got something else.`,
    )
  const { log } = data
  const toWebhooks = log.entries.map(({ request }) => request).filter(({ url }) => /\/webhook(-test)?\//.test(url))
  if (!toWebhooks.length)
    throw badRequest(
      where,
      `Expected requests to …/webhook/… in that archive, got none among ${log.entries.length}.`,
      'Record a call of the webhook itself.',
    )
  return toWebhooks.map((request, index) =>
    parseRequest(specOf(request, `${where}, entry ${index + 1}`), `${where}, entry ${index + 1}`),
  )
}

function specOf({ method, url, headers, postData }: HarRequest, where: string): RequestGiven {
  const { pathname, searchParams } = new URL(url)
  const { text, params = [] } = postData ?? {}
  const upload = params.find(({ fileName }) => fileName)
  if (upload)
    throw badRequest(
      where,
      `Expected a request without files, got one with ${upload.fileName}: an archive does not hold them.`,
      'Write that request as JSON, with files.',
    )
  return {
    method,
    webhook: pathname,
    query: queryOf(searchParams),
    headers: carriedHeaders(headers.map(({ name, value }) => [name, value])),
    ...(params.length && (!text || postData?.mimeType?.startsWith('multipart/'))
      ? {
          form: Object.fromEntries(params.map(({ name, value }) => [name, value ?? ''])),
          ...(postData?.mimeType?.startsWith('multipart/') && { files: {} }),
        }
      : text !== undefined && text !== '' && { body: text }),
  }
}

export const queryOf = (given: URLSearchParams): Record<string, string[]> =>
  Object.fromEntries([...new Set(given.keys())].map((name) => [name, given.getAll(name)]))
