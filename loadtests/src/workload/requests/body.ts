import type { Body } from '../../../scenarios/request.ts'
import { contentsOf } from './files.ts'
import type { RequestSpec } from './schema.ts'

export interface Sent {
  body: Body | null
  /** The content type of the body, unless the request sets one. */
  type: string | null
}

/** The body of a request, as it is sent. */
export async function requestBody(
  { body, form, file, files, headers }: RequestSpec,
  where: string,
  { multipart = false } = {},
): Promise<Sent> {
  if (file !== undefined) {
    const { base64, type } = await contentsOf(file, where)
    return { body: { kind: 'bytes', base64 }, type }
  }
  if (files !== undefined) {
    const parts = await Promise.all(
      Object.entries(files).map(async ([field, one]) => ({ field, ...(await contentsOf(one, where)) })),
    )
    if (parts.length) return { body: { kind: 'multipart', fields: form ?? {}, files: parts }, type: null }
    return multipart ? multipartText(form ?? {}) : urlencoded(form ?? {})
  }
  if (form !== undefined) return urlencoded(form)
  if (body === undefined) return { body: null, type: null }
  if (typeof body === 'string') return textBody(body, headers['content-type'] ?? headers['Content-Type'])
  return { body: { kind: 'text', text: jsonText(body), escape: 'json' }, type: 'application/json' }
}

const urlencoded = (form: Record<string, string>): Sent => ({
  body: {
    kind: 'text',
    text: Object.entries(form)
      .map(([name, value]) => `${urlText(name)}=${urlText(value)}`)
      .join('&'),
    escape: 'url',
  },
  type: 'application/x-www-form-urlencoded',
})

const boundary = 'n8n-tuned-1f0c9a7e5b3d'

/** k6 writes a multipart form only if it contains a file. */
const multipartText = (form: Record<string, string>): Sent => ({
  body: {
    kind: 'text',
    text: [
      ...Object.entries(form).flatMap(([name, value]) => [
        `--${boundary}`,
        `Content-Disposition: form-data; name="${name}"`,
        '',
        value,
      ]),
      `--${boundary}--`,
      '',
    ].join('\r\n'),
    escape: 'none',
  },
  type: `multipart/form-data; boundary=${boundary}`,
})

function textBody(text: string, type: string | undefined): Sent {
  if (type?.startsWith('application/x-www-form-urlencoded'))
    return { body: { kind: 'text', text, escape: 'url' }, type }
  const json = type === undefined ? /^\s*[[{]/.test(text) : /json/.test(type)
  return {
    body: { kind: 'text', text, escape: json ? 'json' : 'none' },
    type: json ? 'application/json' : 'text/plain',
  }
}

/** JSON text, in which a field with only a counter becomes a number. */
export const jsonText = (given: unknown) =>
  JSON.stringify(given).replace(/"(\{\{\s*(?:counter|timestamp)\s*\}\})"/g, '$1')

/** URL-encoded, except the changing fields: k6 encodes them when it fills them in. */
export const urlText = (text: string) =>
  text
    .split(/(\{\{[^{}]*\}\})/)
    .map((part, index) => (index % 2 ? part : encodeURIComponent(part)))
    .join('')
