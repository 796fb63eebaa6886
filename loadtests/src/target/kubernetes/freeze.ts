import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { faultErrors } from '../../shared/fault-errors.ts'
import { clusterErrors } from './errors.ts'

interface Place {
  context: string
  namespace: string
  pod: string
}

const none = 3
const frozen = 'frozen'
const patience = 30_000

/** What is frozen: its container, and the names of its processes there. */
const frozenParts = {
  n8n: { container: 'n8n', names: '*n8n*' },
  postgresql: { container: 'postgresql', names: '*postgres:*' },
}
type Part = keyof typeof frozenParts

/**
 * A script that stops these children of its container's first process, and says so. It also stops those that begin
 * later, and lets all go on when its own input ends. Exit code 3 without one: nothing in a container can stop the first
 * process itself. The task runner is no child of it, unless n8n is the first.
 */
export const freezeUntilInputEnds = (part: Part, first = 1) => `
each() {
  for folder in /proc/[0-9]*; do
    grep -q "^PPid:[[:space:]]*${first}$" "$folder/status" || continue
    case $(tr '\\0' ' ' <"$folder/cmdline") in
      *task-runner*) ;;
      ${frozenParts[part].names}) kill "$1" "\${folder##*/}" && found=yes ;;
    esac
  done 2>/dev/null
}
each -STOP
[ "$found" ] || exit ${none}
echo ${frozen}
while sleep 0.2; do each -STOP; done & again=$!
read -r forever
kill $again
wait $again
each -CONT`

/**
 * SIGSTOP to n8n or PostgreSQL in a pod; the function sends SIGCONT. When the lab is killed, the script's input ends
 * too. If the liveness probe has started the container again, the script has ended with the old one.
 */
export async function freeze(part: Part, { context, namespace, pod }: Place): Promise<() => Promise<void>> {
  const { container } = frozenParts[part]
  const place = ['--context', context, '--namespace', namespace, 'exec', '--stdin', pod, '--container', container]
  const command = ['sh', '-c', freezeUntilInputEnds(part)]
  const script = execa('kubectl', [...place, '--', ...command], { reject: false, cleanup: false })
  const said = await Promise.race([firstLine(script.stdout), script])
  if (said === frozen)
    return async () => {
      script.stdin.end()
      setTimeout(() => script.kill(), patience).unref()
      await script
    }
  const { exitCode, stderr, message } = await script
  if (exitCode === none) throw faultErrors.cannotFreeze()
  throw clusterErrors.clusterRefused(`kubectl exec ${pod}`, stderr || message!)
}

const firstLine = (stream: NodeJS.ReadableStream) =>
  new Promise<string>((resolve) => createInterface({ input: stream }).once('line', resolve))
