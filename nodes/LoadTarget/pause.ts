import type { IExecuteFunctions } from 'n8n-workflow'

/** The longest time of a Node timer; a longer one fires at once. */
export const LONGEST = 2 ** 31 - 1

/** Resolves after `ms`, or as soon as the execution is cancelled; true if it was. n8n 0.x cannot report that. */
export async function pause(context: IExecuteFunctions, ms: number): Promise<boolean> {
  const signal = context.getExecutionCancelSignal?.()
  if (signal?.aborted) return true

  return await new Promise((resolve) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel)
      resolve(false)
    }, ms)
    function cancel() {
      clearTimeout(timer)
      resolve(true)
    }
    signal?.addEventListener('abort', cancel, { once: true })
  })
}
