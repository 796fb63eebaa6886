import { progressWords } from '../report/progress-words.ts'

/** What else runs on the lab's machine, in the moment before it measures. */
export interface Stillness {
  quiet: boolean
  /** Cores that were busy when last seen. */
  busy: number
}

/** Looks at what is busy: `seconds` that these cores were busy since any moment before, null where nobody says. */
interface Look {
  cores: number
  seconds(): Promise<number | null>
  now(): number
  pause(milliseconds: number): Promise<void>
}

/** A compiler or an installer takes a core or more; what always runs on a machine takes less than this share. */
const quietShare = 0.2
const lookFor = 2000
/** Between two parts of one program there are quiet moments. */
const quietLooks = 2
const longestWait = 60_000

/**
 * Waits until nothing else takes this machine's cores, for a minute at most. The load average would still tell of what
 * ended a minute ago. Null where the system says nothing.
 */
export async function waitForQuiet(
  { cores, seconds, now, pause }: Look,
  tell: (line: string) => void,
): Promise<Stillness | null> {
  const began = now()
  let quiet = 0
  let told = false
  while (true) {
    const [from, at] = [await seconds(), now()]
    await pause(lookFor)
    const to = await seconds()
    if (from === null || to === null) return null
    const busy = (to - from) / ((now() - at) / 1000)
    quiet = busy <= quietShare * cores ? quiet + 1 : 0
    if (quiet === quietLooks) return { quiet: true, busy }
    if (now() - began >= longestWait) return { quiet: false, busy }
    if (quiet === 0 && !told) tell(progressWords.awaitsQuiet(longestWait, busy, cores))
    told ||= quiet === 0
  }
}
