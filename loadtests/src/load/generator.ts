import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Something that runs k6 with one of the scenarios: a process here, or a Job in a cluster. */
export interface Generator {
  /** How many cores it may use, and bytes of memory; of each part where several share a load. */
  cores: number
  memory: number
  /** How many k6 share each load; one, if absent. */
  parts?: number
  /** Runs the work, one k6 for each part, all from the same moment on. Each finds its number in PART, from 0 on. */
  run(work: GeneratorWork): Promise<Generated[]>
}

/** What a generator has to run. */
export interface GeneratorWork {
  /** A file of scenarios/, without its ending. */
  scenario: string
  env: Record<string, string>
  /** The requests, as JSON. They may contain secrets: only k6 may read the file, and it is removed afterwards. */
  requests?: string
  /** Keeps the lines that the scenario prints. */
  told?: true
  /** Ends it at once and keeps nothing. */
  signal: AbortSignal
  /** Asked while it runs: true ends it early and keeps the counts so far. */
  endEarly?: () => boolean
}

/** What one k6 left. */
export interface Generated {
  /** k6's own summary as JSON; null if it ended without one. */
  summary: string | null
  /** How it ended: `exit code 107`, `SIGKILL`, … */
  ended: string
  failed: boolean
  /** Something else ended it. */
  killed?: boolean
  /** Its scenario ended it before its time. */
  stopped?: boolean
  endedAt: number
  /** Seconds it ran, and the CPU seconds it used for that. */
  elapsed: number
  cpuSeconds: number | null
  /** Its CPU time at moments of the run, where that can be read. */
  looks?: GeneratorLook[]
  log: string[]
  /** The lines that the scenario printed, where they were asked for and exist. */
  told?: string[]
}

/** CPU seconds that the generator had used at a moment. */
export interface GeneratorLook {
  at: number
  seconds: number
  /** Seconds for which its cores were busy, whatever ran on them, where the system says it. */
  busy?: number
}

/** k6's exit codes for a test that was stopped: by a threshold, by its script, from outside. All leave a summary. */
export const stoppedByItself = [99, 108]
export const stoppedCodes = [...stoppedByItself, 105]

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

/**
 * Go collects garbage whenever its memory has doubled. With thousands of requests under way, k6 does so every few
 * seconds, and one core is busy with it for a second. Every answer in that second is late, and n8n would be blamed. So
 * ten times as much garbage may collect, until the limit comes near.
 */
export const rarelyCollecting = (memory: number): Record<string, string> => ({
  GOGC: '1000',
  GOMEMLIMIT: `${Math.floor(memory / 2 ** 20)}MiB`,
})

const shownLines = 15
const shownCharacters = 300

/** The end of what k6 said, fit for a message. */
export const lastWords = (lines: string[]): string[] => lines.slice(-shownLines).map(withoutQueries).map(cut)

/** The same of a stream, once it has ended: all of it may be more than fits into memory. */
export async function lastWordsOf(stream: Readable): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: stream })) {
    lines.push(line)
    if (lines.length > shownLines) lines.shift()
  }
  return lastWords(lines)
}

/** k6 names the URL that did not answer. A key in its query must stay out of messages. */
const withoutQueries = (line: string) => line.replace(/(https?:\/\/[^\s"?]+)\?[^\s"]*/g, '$1?…')

const cut = (line: string) => (line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line)
