import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { noRunner } from '../../refusals.ts'
import { usage } from '../../../lib/errors.ts'
import type { RunnerFault } from '../../../model/fault.ts'
import { refused } from '../api.ts'
import { execIn, inContainer, type ContainerPlace } from '../kubectl.ts'
import type { ContainerObject, PodObject } from '../objects.ts'
import { lastingContainersOf } from '../pods.ts'
import type { Watch } from '../watch.ts'
import { dataFolder, networkState, sidecar } from './prepare.ts'

/**
 * What the lab does inside containers: scripts that keep a fault up until their own input ends, which it also does if
 * the lab is killed.
 */

/** A container's pod, in the cluster of a context. */
export interface PodAt {
  context: string
  namespace: string
  pod: string
}

const inIt = ({ namespace, pod }: PodAt, container: string): ContainerPlace => ({ namespace, pod, container })

/** The word with which a script says that it has begun. */
const begun = 'begun'

const patience = 30_000

/**
 * Runs a script in a container, and returns once it says that it has begun. Then it waits until its input ends. The
 * returned function ends it, and so does the end of the lab, also if the lab is killed. `refusals` are the errors that
 * its exit codes stand for.
 */
export async function untilInputEnds(
  at: PodAt,
  container: string,
  script: string,
  refusals: Record<number, () => Error> = {},
): Promise<() => Promise<void>> {
  const [program, ...words] = inContainer(at.context, inIt(at, container), ['sh', '-c', script])
  const running = execa(program!, words, { reject: false, cleanup: false })
  const said = await Promise.race([firstLine(running.stdout), running])
  if (said === begun)
    return async () => {
      running.stdin.end()
      setTimeout(() => running.kill(), patience).unref()
      await running
    }
  const { exitCode, stderr, message } = await running
  const refusal = refusals[exitCode ?? -1]
  throw refusal?.() ?? refused(`kubectl exec ${at.pod}`, stderr || message!)
}

/** Writes a word into a file that a program reads, until its own input ends. */
export const sayUntilInputEnds = (word: string, file: string) => `
echo ${word} >${file}
echo ${begun}
read -r forever
rm ${file}`

const firstLine = (stream: NodeJS.ReadableStream) =>
  new Promise<string>((resolve) => createInterface({ input: stream }).once('line', resolve))

/** The exit code of a script that found nothing to inject into. */
const none = 3

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

/** What a container reports that was killed; also with it, where the kernel kills all that it runs. */
const killed = 137

/** Without a limit it would be the node's memory. */
export function refuseWithoutLimit(pod: PodObject, container: ContainerObject): void {
  if (!container.resources?.limits?.memory)
    throw usage(
      'no-memory-limit',
      `Expected a memory limit, which the fault passes, got none for the container ${container.name} of `
        + `${pod.metadata.name}.`,
      'Set resources.limits.memory of that role.',
    )
}

/** With n8n, the kernel ends its container, because n8n is what the container runs. */
export async function exhaustMemory(pod: PodObject, at: PodAt): Promise<void> {
  refuseWithoutLimit(
    pod,
    pod.spec.containers.find(({ name }) => name === 'n8n')!,
  )
  const { exitCode, stderr, message } = await execIn(at.context, inIt(at, 'n8n'), [
    'sh',
    '-c',
    takeMemoryUntilGone('1', 64),
  ])
  if (exitCode !== killed) throw refused(`kubectl exec ${at.pod}`, stderr || message || 'its memory did not run out')
}

/** Takes all room on the disk, and what the store then gives back, until its own input ends. */
export const fillUntilInputEnds = (folder: string) => `
fill() { cat /dev/zero >>"${folder}/full" 2>/dev/null; }
fill
echo ${begun}
while sleep 0.2; do fill; done & again=$!
read -r forever
kill $again
wait $again
rm "${folder}/full"`

/** Leaves no room on the disk of a store's pod; the function gives the room back. */
export const fillDisk = (at: PodAt): Promise<() => Promise<void>> =>
  untilInputEnds(at, sidecar, fillUntilInputEnds(dataFolder))

/** The network between n8n and a store's pod fails; the function mends it. */
export const failNetwork = (how: 'cut-off' | 'lossy', at: PodAt): Promise<() => Promise<void>> =>
  untilInputEnds(at, sidecar, sayUntilInputEnds(how, networkState))

/**
 * What can be frozen: a word of its processes' command lines, and their parent. Nothing in a container can stop its
 * first process. Redis has no other, so its pod shares its processes, and its parent is then outside. The brackets keep
 * the script from finding itself. A word is whole: a path through a folder that is named after n8n is no n8n.
 */
const frozenParts = {
  n8n: { container: 'n8n', word: '^n8n( |$)|/n8n$', parent: 1 },
  postgresql: { container: 'postgresql', word: '^postgres: ', parent: 1 },
  redis: { container: 'redis', word: '(^|/)redis-serve[r]( |$)', parent: 0 },
}
type Part = keyof typeof frozenParts

/**
 * A script that stops these children of one process, and says so. It also stops those that begin later, and lets all go
 * on when its own input ends. Exit code 3 without one. The task runner is no child of n8n's parent, unless n8n is the
 * first process.
 */
export const freezeUntilInputEnds = (part: Part, parent = frozenParts[part].parent) => `
each() {
  for folder in /proc/[0-9]*; do
    grep -q "^PPid:[[:space:]]*${parent}$" "$folder/status" || continue
    words=$(tr '\\0' '\\n' <"$folder/cmdline")
    case $words in *task-runner*) continue ;; esac
    echo "$words" | grep -qE '${frozenParts[part].word}' && kill "$1" "\${folder##*/}" && found=yes
  done 2>/dev/null
}
each -STOP
[ "$found" ] || exit ${none}
echo ${begun}
while sleep 0.2; do each -STOP; done & again=$!
read -r forever
kill $again
wait $again
each -CONT`

/**
 * SIGSTOP to n8n, PostgreSQL or Redis in a pod; the function sends SIGCONT. If the liveness probe has started the
 * container again, the script has ended with the old one.
 */
export const freeze = (part: Part, at: PodAt): Promise<() => Promise<void>> =>
  untilInputEnds(at, frozenParts[part].container, freezeUntilInputEnds(part), {
    [none]: () =>
      usage(
        'cannot-freeze',
        `Expected ${part} to be the child of an init process in its container, which a signal can stop, found none.`,
        'Use an image that starts it with tini or another init, as n8n’s own does, or leave out --target.',
      ),
  })

/** As clock.mjs reads it. */
const clockFile = '/tmp/n8n-tuned-clock'
const hour = 3_600_000

/** Sets n8n's clock in a pod an hour ahead; the function sets it back. */
export async function moveClock(at: PodAt): Promise<() => Promise<void>> {
  const end = await untilInputEnds(at, 'n8n', sayUntilInputEnds(String(hour), clockFile))
  return async () => {
    await end()
    // The file outlives a container that was started again, and the script does not.
    await execIn(at.context, inIt(at, 'n8n'), ['rm', '-f', clockFile])
  }
}

const survived = 4

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

export const runnerFaultScript = (how: RunnerFault, processes = '/proc') => withFirstRunner(actions[how], processes)

/** A signal to one task runner of the pods that execute workflows; the function lets a frozen one go on. */
export async function injectIntoPodRunner(
  how: RunnerFault,
  cluster: Omit<PodAt, 'pod'>,
  watch: Watch,
): Promise<() => Promise<void>> {
  for (const { pod, container } of placesOf(watch.pods())) {
    const at = { ...cluster, pod: pod.metadata.name }
    const ask = (script: string) => execIn(at.context, inIt(at, container.name), ['sh', '-c', script])
    const { exitCode: found } = await ask(withFirstRunner(':', '/proc'))
    if (found === none) continue
    if (how === 'freeze') return untilInputEnds(at, container.name, runnerFaultScript(how))
    if (how === 'exhaust-memory') {
      if (container.name === 'n8n')
        throw usage(
          'runner-within-n8n',
          'Expected a task runner with a container and a memory limit of its own, got one in n8n’s container.',
          'Choose worker-out-of-memory or main-out-of-memory, or --set runner.mode=external.',
        )
      refuseWithoutLimit(pod, container)
    }
    const { exitCode, stderr, message } = await ask(runnerFaultScript(how))
    if (exitCode !== 0 && !(how === 'exhaust-memory' && exitCode === killed))
      throw refused(`kubectl exec ${at.pod}`, stderr || message || endedBy(exitCode))
    return async () => {}
  }
  throw noRunner()
}

const endedBy = (exitCode?: number) =>
  exitCode === survived ? 'its memory did not run out' : `it ended with exit code ${exitCode}`

/** The containers in which a runner may be: those of workers, or of main if there are none, with their sidecars. */
export function placesOf(pods: Map<string, PodObject>): { pod: PodObject; container: ContainerObject }[] {
  const of = (component: string) => [...pods].filter(([slot]) => slot.startsWith(`${component}-`)).map(([, pod]) => pod)
  const workers = of('worker')
  const executing = workers.length > 0 ? workers : of('main')
  return executing.flatMap((pod) => lastingContainersOf(pod).map((container) => ({ pod, container })))
}
