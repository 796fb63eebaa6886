import { faultErrors } from '../../../fault/fault-errors.ts'
import type { RunnerHarm } from '../../target.ts'
import { clusterErrors } from '../errors.ts'
import { execIn, type Place } from '../exec.ts'
import { lastingContainersOf } from '../standing.ts'
import type { Watch } from '../watch.ts'
import { refuseWithoutLimit, takeMemoryUntilGone } from './exhaust-memory.ts'
import { begun, untilInputEnds } from './until-input-ends.ts'

const none = 3
const survived = 4
/** With its container, where the kernel kills all that a container runs. */
const killed = 137

/**
 * A script that does something to the first task runner of a container; exit code 3 if there is none. The brackets keep
 * it from finding itself. A sidecar's launcher only starts runners.
 */
const withFirstRunner = (action: string, processes: string) => `
for program in ${processes}/[0-9]*/cmdline; do
  case $(tr '\\0' ' ' <"$program") in
    *task-runne[r]-launche[r]*) ;;
    *task-runne[r]*)
      pid=\${program%/cmdline}
      pid=\${pid##*/}
      ${action}
      exit 0
      ;;
  esac
done 2>/dev/null
exit ${none}`

const actions = {
  kill: 'kill -KILL "$pid"',
  end: 'kill -TERM "$pid"',
  // n8n may have ended it before the script's input ends.
  freeze: `kill -STOP "$pid" && echo ${begun}; read -r forever; kill -CONT "$pid"`,
  // A runner is small.
  'exhaust-memory': `${takeMemoryUntilGone('$pid', 16)} || exit ${survived}`,
}

export const harmFirstRunner = (how: RunnerHarm, processes = '/proc') => withFirstRunner(actions[how], processes)

/** A signal to one task runner of the pods that execute workflows; the function lets a frozen one go on. */
export async function harmRunner(
  how: RunnerHarm,
  cluster: Pick<Place, 'context' | 'namespace'>,
  watch: Watch,
): Promise<() => Promise<void>> {
  for (const { pod, container } of placesOf(watch.pods())) {
    const place = { ...cluster, pod: pod.metadata.name, container: container.name }
    const ask = (script: string) => execIn(place, ['sh', '-c', script])
    const { exitCode: found } = await ask(withFirstRunner(':', '/proc'))
    if (found === none) continue
    if (how === 'freeze') return untilInputEnds(place, harmFirstRunner(how))
    if (how === 'exhaust-memory') {
      if (container.name === 'n8n') throw faultErrors.runnerWithinN8n()
      refuseWithoutLimit(pod, container)
    }
    const { exitCode, stderr, message } = await ask(harmFirstRunner(how))
    if (exitCode !== 0 && !(how === 'exhaust-memory' && exitCode === killed))
      throw clusterErrors.clusterRefused(`kubectl exec ${place.pod}`, stderr || message || refusedBy(exitCode))
    return async () => {}
  }
  throw faultErrors.noRunner()
}

const refusedBy = (exitCode?: number) =>
  exitCode === survived ? 'its memory did not run out' : `it ended with exit code ${exitCode}`

/** The containers in which a runner may be: those of workers, or of main if there are none, with their sidecars. */
export function placesOf(pods: Map<string, any>): { pod: any; container: any }[] {
  const of = (component: string) => [...pods].filter(([slot]) => slot.startsWith(`${component}-`)).map(([, pod]) => pod)
  const workers = of('worker')
  const executing = workers.length > 0 ? workers : of('main')
  return executing.flatMap((pod) => lastingContainersOf(pod).map((container) => ({ pod, container })))
}
