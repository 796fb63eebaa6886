import { faultErrors } from '../../../shared/fault-errors.ts'
import { clusterErrors } from '../errors.ts'
import { execIn } from '../exec.ts'
import { lastingContainersOf } from '../standing.ts'
import type { Watch } from '../watch.ts'

const none = 3

/**
 * A script that sends SIGKILL to the first task runner of a container; exit code 3 if there is none. The brackets keep
 * it from finding itself. A sidecar's launcher only starts runners.
 */
export const killFirstRunner = (processes = '/proc') => `
for program in ${processes}/[0-9]*/cmdline; do
  case $(tr '\\0' ' ' <"$program") in
    *task-runne[r]-launche[r]*) ;;
    *task-runne[r]*)
      pid=\${program%/cmdline}
      kill -KILL "\${pid##*/}"
      exit
      ;;
  esac
done 2>/dev/null
exit ${none}`

/** SIGKILL to one task runner of the pods that execute workflows. Nothing is left to end. */
export async function killRunner(context: string, namespace: string, watch: Watch): Promise<() => Promise<void>> {
  for (const [pod, container] of placesOf(watch.pods())) {
    const said = await execIn({ context, namespace, pod, container }, ['sh', '-c', killFirstRunner()])
    if (said.exitCode === 0) return async () => {}
    if (said.exitCode !== none) throw clusterErrors.clusterRefused(`kubectl exec ${pod}`, said.stderr || said.message!)
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
