import type { Values } from '../../profile/experiment.ts'

/** What the CPU time of an n8n goes into, each something an operator can act on; and what to do where it is the largest share. */
export const areas = {
  isolates: { label: 'expression isolates', advice: isolates },
  expressions: { label: 'expressions outside isolates', advice: () => 'Evaluate fewer expressions on the way to the answer: one Set or Code node early, rather than an expression in every field.' },
  database: { label: 'database driver and ORM', advice: database },
  queue: { label: 'queue and Redis', advice: () => 'Add workers rather than concurrency, and pass on less between main, Redis and workers: return only what the caller needs.' },
  serialisation: { label: 'copying and serialising data', advice: () => 'Carry less data from node to node: drop fields early (a Set node that keeps only what is needed), split large batches, keep files out of JSON.' },
  gc: { label: 'garbage collection and compiling', advice: () => 'The heap is short or the items are large: raise main.resources.limits.memory, from which the chart derives the heap, or carry less data from node to node.' },
  runner: { label: 'task runner', advice: () => 'Code nodes run there: replace small ones by a Set, Filter or Merge node, and let one handle all items instead of each item alone.' },
  http: { label: 'HTTP', advice: () => 'Answer with less: a Respond to Webhook node with the few fields the caller needs; let a proxy in front compress.' },
  events: { label: 'logs, events and metrics', advice: () => 'Leave statistics and insights out (tuning.noStatistics, tuning.noInsights: true), and keep N8N_LOG_LEVEL at info or above.' },
  loading: { label: 'loading of modules', advice: () => 'n8n was still starting, or loads nodes at their first use: measure again after a longer warm-up.' },
  executions: { label: 'n8n’s own work on executions', advice: () => 'Fewer nodes on the way to the answer, and less saved of each execution (tuning.discardSuccess: true); beyond that it takes CPU: executions.mode: queue with more workers.' },
  node: { label: 'Node itself: sockets, timers, other native code', advice: () => 'Nothing of n8n to set: more CPU, or more processes (executions.mode: queue).' },
  children: { label: 'other processes', advice: () => 'With executions.process: own n8n starts a process for every execution: set main.' },
  profiling: { label: 'this profile itself', advice: () => '' },
} satisfies Record<string, { label: string; advice: (values: Values) => string }>

export type Area = keyof typeof areas

function isolates(values: Values): string {
  if (isUntuned(values)) return 'Set tuning.profile: tuned. In n8n 1.123 and from 2.40 on it takes an isolate only where an expression is evaluated, not for every request (N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE), and compiles their runtime once (N8N_EXPRESSION_ENGINE_COMPILE_CACHE).'
  return 'In n8n 1.123 and from 2.40 on an execution without an expression takes no isolate: leave expressions out of the workflows that are called most. Where every editor of workflows is trusted, tuning.profile: trusted-editors does without isolates.'
}

function database(values: Values): string {
  const less = 'Save less of each execution: in the workflow’s settings, or with tuning.discardSuccess: true for all.'
  return isUntuned(values) ? `Set tuning.profile: tuned. ${less}` : less
}

const isUntuned = ({ tuning }: Values) => (tuning as Values | undefined)?.profile === 'n8n-defaults'
