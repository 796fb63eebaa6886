import { faultErrors } from '../../../fault/fault-errors.ts'
import { clusterErrors } from '../errors.ts'
import { execIn } from '../exec.ts'

interface Installed {
  context: string
  namespace: string
}

/**
 * A script that takes the memory of its container until this process is gone; exit code 1 if that never happens. Many
 * small processes take it, because the kernel kills the largest. There is a last one and each ends by itself, also if
 * the lab is gone.
 */
export const takeMemoryUntilGone = (pid: string, mebibytes: number) => `
held=
for process in $(seq 100); do
  sleep 0.2
  [ -e /proc/${pid} ] || break
  node -e 'const held = Buffer.alloc(${mebibytes} << 20, 1); setTimeout(() => held, 20000)' &
  held="$held $!"
done
kill $held 2>/dev/null
[ ! -e /proc/${pid} ]`

/** What a container reports that was killed. */
const killed = 137

/** Without a limit it would be the node's memory. */
export function refuseWithoutLimit(pod: any, { name, resources }: any): void {
  if (!resources?.limits?.memory) throw faultErrors.noMemoryLimit(pod.metadata.name, name)
}

/** With n8n, the kernel ends its container, because n8n is what the container runs. */
export async function exhaustMemory(pod: any, { context, namespace }: Installed): Promise<void> {
  const { name } = pod.metadata
  refuseWithoutLimit(
    pod,
    pod.spec.containers.find((container: any) => container.name === 'n8n'),
  )
  const { exitCode, stderr, message } = await execIn({ context, namespace, pod: name, container: 'n8n' }, [
    'sh',
    '-c',
    takeMemoryUntilGone('1', 64),
  ])
  if (exitCode !== killed)
    throw clusterErrors.clusterRefused(`kubectl exec ${name}`, stderr || message || 'its memory did not run out')
}
