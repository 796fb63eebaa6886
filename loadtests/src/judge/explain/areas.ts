import type { Tier } from '../../model/tier.ts'

/** A tier, or null where the tier is unknown. */
type Known = (Pick<Tier, 'name' | 'patches'> & { trustsEditors?: boolean }) | null

/** The areas that n8n's CPU time goes into, and what an operator can change when an area has the largest share. */
export const areas = {
  isolates: { label: 'expression isolates', advice: isolates },
  expressions: {
    label: 'expressions outside isolates',
    advice: () =>
      'Evaluate fewer expressions on the way to the answer: one Set or Code node early, rather than an '
      + 'expression in every field.',
  },
  database: { label: 'database driver and ORM', advice: database },
  queue: {
    label: 'queue and Redis',
    advice: () =>
      'Add workers rather than concurrency, and pass on less between main, Redis and workers: return only '
      + 'what the caller needs.',
  },
  serialisation: {
    label: 'copying and serialising data',
    advice: () =>
      'Carry less data from node to node: drop fields early (a Set node that keeps only what is needed), '
      + 'split large batches, keep files out of JSON.',
  },
  gc: {
    label: 'garbage collection and compiling',
    advice: () =>
      'The heap is short or the items are large: raise main.resources.limits.memory, from which the chart '
      + 'derives the heap, or carry less data from node to node.',
  },
  runner: {
    label: 'task runner',
    advice: () =>
      'Code nodes run there: replace small ones by a Set, Filter or Merge node, and let one handle all items '
      + 'instead of each item alone.',
  },
  http: {
    label: 'HTTP',
    advice: () =>
      'Answer with less: a Respond to Webhook node with the few fields the caller needs; let a proxy in '
      + 'front compress.',
  },
  events: {
    label: 'logs, events and metrics',
    advice: (tier: Known) =>
      `${isLean(tier) ? 'Keep' : 'Leave statistics and insights out (tuning.tier: lean), and keep'} `
      + 'N8N_LOG_LEVEL at info or above.',
  },
  loading: {
    label: 'loading of modules',
    advice: () => 'n8n was still starting, or loads nodes at their first use: measure again after a longer warm-up.',
  },
  executions: {
    label: 'n8n’s own work on executions',
    advice: (tier: Known) =>
      'Fewer nodes on the way to the answer'
      + (isLean(tier) ? '; ' : ', and no history of successful executions (tuning.settings.discardSuccess: true); ')
      + 'beyond that it takes CPU: executions.mode: queue with more workers.',
  },
  node: {
    label: 'Node itself: sockets, timers, other native code',
    advice: () => 'No setting of n8n helps: add CPU, or processes (executions.mode: queue).',
  },
  children: {
    label: 'other processes',
    advice: () => 'With executions.process: own n8n starts a process for every execution: set main.',
  },
  profiling: { label: 'this profile itself', advice: () => '' },
} satisfies Record<string, { label: string; advice: (tier: Known) => string }>

export type Area = keyof typeof areas

function isolates(tier: Known): string {
  if (isUntuned(tier))
    return (
      'Set tuning.tier: tuned. In n8n 1.123 and from 2.40 on it takes an isolate only where an '
      + 'expression is evaluated, not for every request (N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE), and '
      + 'compiles their runtime once (N8N_EXPRESSION_ENGINE_COMPILE_CACHE).'
    )
  return [
    'An execution without an expression takes no isolate, in n8n 1.123 and from 2.40 on: leave expressions '
      + 'out of the workflows that are called most.',
    ...(tier?.patches.includes('fastIsolates')
      ? []
      : ['tuning.tier: patched makes isolates cheaper, by a change of n8n’s code (fastIsolates).']),
    ...(tier?.trustsEditors
      ? []
      : ['Where every editor of workflows is trusted, tuning.trustEditors: true does without them.']),
  ].join(' ')
}

function database(tier: Known): string {
  const forAll = isLean(tier) ? '' : ', or with tuning.settings.discardSuccess: true for all'
  const less = `Save less of each execution: in the workflow’s settings${forAll}.`
  return isUntuned(tier) ? `Set tuning.tier: tuned. ${less}` : less
}

const isUntuned = (tier: Known) => tier?.name === 'n8n-defaults'

/** Its tier saves no successful executions, and keeps no statistics. */
const isLean = (tier: Known) => tier?.name === 'lean' || tier?.name === 'patched'
