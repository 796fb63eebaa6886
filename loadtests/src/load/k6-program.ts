/** What k6 needs to run, as a process here or in a cluster. */

/** Milliseconds in which k6 still reads its scenario. If asked to end in that time, it would write no summary. */
const readsScenario = 1000

/**
 * Decides when to ask k6 to end: once it can react, and only once, because a second request makes it end without a
 * summary.
 */
export function askToEnd(endEarly: (() => boolean) | undefined): () => boolean {
  const begun = Date.now()
  let asked = false
  return () => {
    if (asked || Date.now() - begun <= readsScenario) return false
    return (asked = endEarly?.() ?? false)
  }
}

export const shownLines = 15
const shownCharacters = 300

/** The end of what k6 said, fit for a message. */
export const lastWords = (lines: string[]): string[] => lines.slice(-shownLines).map(withoutQueries).map(cut)

/** k6 names the URL that did not answer. A key in its query must stay out of messages. */
const withoutQueries = (line: string) => line.replace(/(https?:\/\/[^\s"?]+)\?[^\s"]*/g, '$1?…')

const cut = (line: string) => (line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line)

/**
 * Go collects garbage whenever its memory has doubled. With thousands of clients, k6 does so every few seconds, and one
 * core is busy with it for a second. Every answer in that second is late, and n8n would be blamed. So ten times as much
 * garbage may collect, until the limit comes near.
 */
export const rarelyCollecting = (memory: number): Record<string, string> => ({
  GOGC: '1000',
  GOMEMLIMIT: `${Math.floor(memory / 2 ** 20)}MiB`,
})
