import { faultErrors } from '../../../shared/fault-errors.ts'
import type { RunnerHarm } from '../../target.ts'
import { clusterErrors } from '../errors.ts'
import { execIn, type Place } from '../exec.ts'
import { lastingContainersOf } from '../standing.ts'
import type { Watch } from '../watch.ts'
import { begun, untilInputEnds } from './until-input-ends.ts'

const none = 3

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
}

export const harmFirstRunner = (how: RunnerHarm, processes = '/proc') => withFirstRunner(actions[how], processes)

/** A signal to one task runner of the pods that execute workflows; the function lets a frozen one go on. */
export async function harmRunner(
  how: RunnerHarm,
  cluster: Pick<Place, 'context' | 'namespace'>,
  watch: Watch,
): Promise<() => Promise<void>> {
  for (const [pod, container] of placesOf(watch.pods())) {
    const place = { ...cluster, pod, container }
    const first = how === 'freeze' ? withFirstRunner(':', '/proc') : harmFirstRunner(how)
    const said = await execIn(place, ['sh', '-c', first])
    if (said.exitCode === none) continue
    if (said.exitCode !== 0) throw clusterErrors.clusterRefused(`kubectl exec ${pod}`, said.stderr || said.message!)
    return how === 'freeze' ? untilInputEnds(place, harmFirstRunner(how)) : async () => {}
  }
  throw faultErrors.noRunner()
}

/** The containers in which a runner may be: those of workers, or of main if there are none, with their sidecars. */
export function placesOf(pods: Map<string, any>): [pod: string, container: string][] {
  const of = (component: string) => [...pods].filter(([slot]) => slot.startsWith(`${component}-`)).map(([, pod]) => pod)
  const workers = of('worker')
  const executing = workers.length > 0 ? workers : of('main')
  return executing.flatMap((pod) =>
    lastingContainersOf(pod).map(({ name }): [string, string] => [pod.metadata.name, name]),
  )
}
