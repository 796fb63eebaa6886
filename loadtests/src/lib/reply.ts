import { addAbortSignal, type Readable } from 'node:stream'

/**
 * Answers of servers that others run. Each is read up to a size and until a time, whatever the server goes on to send:
 * nothing of what is beyond them is kept.
 */
interface ReplyLimits {
  /** Bytes of the body, unpacked. */
  most?: number
  /** Milliseconds from the request to the last byte. */
  within: number
}

const mebibyte = 2 ** 20

/** No page of n8n, of OpenCost or of a store comes near it. */
const usualMost = 8 * mebibyte

/** More than a list of the cluster's objects has. */
export const mostOfList = 64 * mebibyte

export const isTooLong = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ANSWER_TOO_LONG'

const tooLong = (most: number) =>
  Object.assign(new Error(`more than ${Math.round(most / mebibyte)} MiB`), { code: 'ANSWER_TOO_LONG' })

interface Reply {
  status: number
  headers: Headers
  text: string
}

/** Sends a request and reads its answer. */
export async function readReply(
  url: string | URL,
  { most = usualMost, within, ...request }: RequestInit & ReplyLimits,
): Promise<Reply> {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(within) })
  return { status: response.status, headers: response.headers, text: await bodyOf(response, most) }
}

/** The body of an answer whose request has a time of its own. */
export async function bodyOf({ body }: Response, most = usualMost): Promise<string> {
  if (!body) return ''
  const read = collecting(most)
  // Leaving the loop by an error ends the connection.
  for await (const piece of body) read.add(piece)
  return read.text()
}

/** The same of Node's own client. */
export async function textWithin(body: Readable, { most = usualMost, within }: ReplyLimits): Promise<string> {
  const read = collecting(most)
  for await (const piece of addAbortSignal(AbortSignal.timeout(within), body)) read.add(piece as Buffer)
  return read.text()
}

function collecting(most: number): { add(piece: Uint8Array): void; text(): string } {
  const pieces: Uint8Array[] = []
  let bytes = 0
  return {
    add(piece) {
      bytes += piece.length
      if (bytes > most) throw tooLong(most)
      pieces.push(piece)
    },
    text: () => new TextDecoder().decode(Buffer.concat(pieces)),
  }
}

/** What went wrong, in the system's or the network's own words. */
export function faultOf(error: unknown, within: number): string {
  const { name, message, cause, code } = error as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException }
  if (name === 'TimeoutError') return `no whole answer within ${within / 1000} s`
  if (isTooLong(error)) return message
  return cause?.code ?? cause?.message ?? code ?? message
}
