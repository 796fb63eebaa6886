import { readReply, isTooLong } from '../../lib/reply.ts'
import { usage } from '../../lib/errors.ts'

export interface HttpAnswer {
  status: number
  location: string | null
  text: string
}

/** As much as n8n's workers hand over at most as the answer of a webhook, in bytes. */
const most = 64 * 2 ** 20

/** Sends one request and follows no redirect. If there is no answer, the error says why. */
export async function ask(
  url: URL,
  options: {
    method?: string
    headers?: Record<string, string>
    body?: Uint8Array<ArrayBuffer> | null
    timeout: number
  },
): Promise<HttpAnswer> {
  try {
    const { timeout, ...request } = options
    const { status, headers, text } = await readReply(url, { ...request, redirect: 'manual', within: timeout, most })
    return { status, location: headers.get('location'), text }
  } catch (error) {
    const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException
    if (isTooLong(cause)) throw endless(url.origin + url.pathname, `${cause.message}`)
    // The query may contain a key, so it stays out of messages.
    throw unreachable(
      url.origin + url.pathname,
      cause.message || cause.code || String(cause),
      hintFor(cause, options.timeout),
    )
  }
}

const untrusted = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])

function hintFor({ code = '', name }: NodeJS.ErrnoException, timeout: number): string {
  if (untrusted.has(code))
    return (
      'This machine does not trust the authority that signed its certificate: name the authority’s file in '
      + 'NODE_EXTRA_CA_CERTS, for the lab, and in SSL_CERT_FILE, for k6.'
    )
  if (code === 'CERT_HAS_EXPIRED') return 'Its certificate has expired: renew it.'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'Its certificate is another host’s: give the host that it is for.'
  if (code === 'ECONNREFUSED') return 'Nothing listens there: check the port, and that n8n runs.'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'There is no such host: check its name.'
  if (name === 'TimeoutError')
    return `It did not answer within ${timeout / 1000} s: check that this machine may reach it.`
  return 'Check the address, and that this machine may reach it.'
}

const endless = (url: string, got: string) =>
  usage(
    'answer-too-long',
    `Expected ${url} to answer and end, got ${got}.`,
    'n8n answers with 64 MiB at most: check that the address is n8n’s, and that the workflow answers with less.',
  )

export const unreachable = (url: string, got: string, hint: string) =>
  usage('unreachable', `Expected ${url} to answer, got: ${got}.`, hint)
