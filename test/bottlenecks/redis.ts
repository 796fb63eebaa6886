import { pidsOf } from './groups.ts'

/**
 * Milliseconds in which Redis does not answer, and in which it answers again. A second is no multiple of their sum: the
 * lab looks once a second, and would otherwise always meet the same moment of a pause.
 */
const pause = 400
const between = 70

/** The lab's Redis as one that is slow. */
export async function pauseRedis(lab: number): Promise<() => Promise<void>> {
  const [pid] = (await pidsOf(lab, 'redis-0')) as [number]
  let timer: NodeJS.Timeout
  let asked: 'SIGSTOP' | 'SIGCONT' = 'SIGCONT'
  const turn = () => {
    asked = asked === 'SIGSTOP' ? 'SIGCONT' : 'SIGSTOP'
    try {
      process.kill(pid, asked)
    } catch {
      // It has ended with the lab.
      return
    }
    timer = setTimeout(turn, asked === 'SIGSTOP' ? pause : between)
  }
  turn()
  return async () => {
    clearTimeout(timer)
  }
}
