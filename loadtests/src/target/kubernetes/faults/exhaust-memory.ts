import { faultErrors } from '../../../shared/fault-errors.ts'
import { clusterErrors } from '../errors.ts'
import { execIn } from '../exec.ts'

interface Installed {
  context: string
  namespace: string
}

/**
 * Takes memory in n8n's container until the kernel kills n8n, and the container with it. Many small processes take it,
 * because the kernel kills the largest. There is a last one and each ends by itself, also if the lab is gone.
 */
const takeMemory = `
for process in $(seq 100); do
  sleep 0.2
  node -e 'const held = Buffer.alloc(64 << 20, 1); setTimeout(() => held, 20000)' &
done`
/** What a container reports that was killed. */
const killed = 137

export async function exhaustMemory(pod: any, { context, namespace }: Installed): Promise<void> {
  const { name } = pod.metadata
  const n8n = pod.spec.containers.find((container: any) => container.name === 'n8n')
  // Without a limit it would be the node's memory.
  if (!n8n?.resources?.limits?.memory) throw faultErrors.noMemoryLimit(name)
  const { exitCode, stderr, message } = await execIn({ context, namespace, pod: name, container: 'n8n' }, [
    'sh',
    '-c',
    takeMemory,
  ])
  if (exitCode !== killed)
    throw clusterErrors.clusterRefused(`kubectl exec ${name}`, stderr || message || 'its memory did not run out')
}
