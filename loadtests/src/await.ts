/** Asks until the answer is neither undefined nor false, or the time is over (then undefined). */
export async function until<T>(ask: () => Promise<T | undefined | false>, limits: { timeout: number; every: number; signal?: AbortSignal }): Promise<T | undefined> {
  const end = Date.now() + limits.timeout
  while (!limits.signal?.aborted) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() >= end) return undefined
    await new Promise((resolve) => setTimeout(resolve, limits.every))
  }
  return undefined
}

/** What a page says; null when it does not say so in time, or is not well. */
export async function textOf(url: string, timeout: number): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeout) })
    return response.ok ? await response.text() : null
  } catch {
    return null
  }
}

/** The status of a request, undefined when there was no answer. */
export async function status(url: string, method = 'GET', timeout = 5000): Promise<number | undefined> {
  try {
    const response = await fetch(url, { method, signal: AbortSignal.timeout(timeout) })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}
