import { faultErrors } from '../../../fault/fault-errors.ts'
import type { Place } from '../exec.ts'
import { begun, untilInputEnds } from './until-input-ends.ts'

const none = 3

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
export type Part = keyof typeof frozenParts

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
export const freeze = (part: Part, pod: Omit<Place, 'container'>): Promise<() => Promise<void>> =>
  untilInputEnds({ ...pod, container: frozenParts[part].container }, freezeUntilInputEnds(part), {
    [none]: () => faultErrors.cannotFreeze(part),
  })
