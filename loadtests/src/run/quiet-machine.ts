import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { busySeconds } from '../lib/processes.ts'
import { progressWords } from '../report/progress-words.ts'

/** What else runs on the lab's machine, in the moment before it measures. */
export interface Stillness {
  quiet: boolean
  /** The run waited for it. */
  waited: boolean
  /** Cores that were busy when last seen. */
  busy: number
}

/** The cores of this machine. */
export const thisMachine = (signal?: AbortSignal): Look => {
  const all = cpus().map((_, core) => core)
  return {
    cores: all.length,
    seconds: () => busySeconds(all),
    now: Date.now,
    pause: (milliseconds) => setTimeout(milliseconds, undefined, { signal }),
  }
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

/** Looks for a moment. The load average would still tell of what ended a minute ago, such as the run before. */
export async function lookForQuiet({ cores, seconds, now, pause }: Look): Promise<Stillness | null> {
  const busy = await busyNow({ seconds, now, pause })
  return busy === null ? null : { quiet: busy <= quietShare * cores, waited: false, busy }
}

/** Cores that are busy now; null where the system says nothing. */
async function busyNow({ seconds, now, pause }: Omit<Look, 'cores'>): Promise<number | null> {
  const [from, at] = [await seconds(), now()]
  await pause(lookFor)
  const to = await seconds()
  return from === null || to === null ? null : (to - from) / ((now() - at) / 1000)
}

/** Waits until nothing else takes this machine's cores, for a minute at most. Null where the system says nothing. */
export async function waitForQuiet(
  { cores, seconds, now, pause }: Look,
  tell: (line: string) => void,
): Promise<Stillness | null> {
  const began = now()
  let quiet = 0
  let told = false
  while (true) {
    const busy = await busyNow({ seconds, now, pause })
    if (busy === null) return null
    quiet = busy <= quietShare * cores ? quiet + 1 : 0
    if (quiet === quietLooks) return { quiet: true, waited: true, busy }
    if (now() - began >= longestWait) return { quiet: false, waited: true, busy }
    if (quiet === 0 && !told) tell(progressWords.awaitsQuiet(longestWait, busy, cores))
    told ||= quiet === 0
  }
}
