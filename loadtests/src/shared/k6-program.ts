/** What running k6 takes, as a process here or in a cluster. */

/** Milliseconds in which k6 still reads its scenario: asked to end by then, it would go without its summary. */
const readsScenario = 1000

/**
 * Tells when to ask k6 to end: not before it can hear, and once, since at the second time it ends without its summary.
 */
export function askToEnd(endEarly: (() => boolean) | undefined): () => boolean {
  const begun = Date.now()
  let asked = false
  return () => {
    if (asked || Date.now() - begun <= readsScenario) return false
    return (asked = endEarly?.() ?? false)
  }
}

/** k6 says which URL did not answer: a key in its query is nobody else's business. */
export const withoutQueries = (line: string) => line.replace(/(https?:\/\/[^\s"?]+)\?[^\s"]*/g, '$1?…')

/**
 * Go collects its garbage whenever what it holds has doubled. Of k6 with thousands of clients that is every few
 * seconds, and takes the whole core for one: every answer in it is late, and n8n would be blamed. Ten times as much may
 * pile up here, unless what may be used up is near.
 */
export const rarelyCollecting = (memory: number): Record<string, string> => ({
  GOGC: '1000',
  GOMEMLIMIT: `${Math.floor(memory / 2 ** 20)}MiB`,
})
