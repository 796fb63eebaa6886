import { get } from 'node:http'
import { readReply, textWithin } from './reply.ts'

/** Asks until the answer is neither undefined nor false, or until the time is over (then undefined). */
export async function until<T>(
  ask: () => Promise<T | undefined | false>,
  limits: { timeout: number; every: number; signal?: AbortSignal },
): Promise<T | undefined> {
  const end = Date.now() + limits.timeout
  while (!limits.signal?.aborted) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() >= end) return undefined
    await new Promise((resolve) => setTimeout(resolve, limits.every))
  }
  return undefined
}

/** What an error says. A failure to connect to each of several addresses has only a code. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || String(error)
}

/** The text of a page from a process on this machine; null if it does not answer in time, or answers with an error. */
export async function textOf(url: string, timeout: number): Promise<string | null> {
  const page = await fetchPage(url, timeout)
  return page?.status === 200 ? page.text : null
}

/**
 * A page from a process on this machine; null if it does not answer in time. Every process is asked every second:
 * `fetch` costs several times as much, and makes n8n compress its answer.
 */
export function fetchPage(url: string, timeout: number): Promise<{ status: number; text: string } | null> {
  return new Promise((resolve) => {
    const nothing = () => resolve(null)
    get(url, { agent: false, signal: AbortSignal.timeout(timeout) }, (response) => {
      const read = textWithin(response, { within: timeout })
      read.then((text) => resolve({ status: response.statusCode!, text }), nothing)
    }).on('error', nothing)
  })
}

/** The status of a request; undefined if there was no answer. */
export async function status(
  url: string,
  request: Pick<RequestInit, 'method' | 'headers' | 'body'> = {},
  timeout = 5000,
): Promise<number | undefined> {
  try {
    return (await readReply(url, { ...request, within: timeout })).status
  } catch {
    return undefined
  }
}
