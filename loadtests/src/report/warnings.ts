import { unsteadyBy } from '../judge/pace.ts'
import { duration, figure, roughly, span } from '../lib/figures.ts'
import type { Environment } from '../model/environment.ts'
import type { FoundWarning, Warning } from '../model/warning.ts'

/** What may be wrong with the figures of a run: what was recorded, and what its looks at a bare server show. */
export function warningsIn({ warnings, calibration }: Environment): string[] {
  const rates = calibration?.rates ?? []
  const apart = unsteadyBy(rates)
  const told = [...new Set(warnings.map(warningInWords))]
  return apart === null ? told : [...told, unsteady(rates, apart)]
}

const unsteady = (rates: number[], apart: number) =>
  `The machine did not keep its pace: a bare Node server on n8n’s cores answered ${span(rates)} over the run. For that `
  + `reason alone, what was measured at different times may lie ${roughly(apart)} apart.`

/** Sentences stay as they are. */
export function warningInWords(one: Warning): string {
  if (typeof one === 'string') return one
  return one.about === undefined ? words(one) : `${one.about}: ${words(one)}`
}

function words(one: FoundWarning): string {
  switch (one.code) {
    case 'limits-not-enforced':
      return (
        'Limits not enforced: this machine allows neither control groups nor systemd scopes, so CPU and memory are the '
        + 'machine’s own.'
      )
    case 'generator-shares-core':
      return 'The generator shares its core with n8n: capacity is understated.'
    case 'not-quiet':
      return one.busy === undefined
        ? `The machine was not quiet: load average ${one.loadAverage} on ${one.cores} cores when the run began.`
        : `The machine was not quiet: other programs kept ${figure(one.busy)} of its ${one.cores} cores busy when the `
            + 'run began.'
    case 'never-quiet':
      return (
        `The machine was not quiet, though the run waited: other programs kept ${figure(one.busy)} of its ${one.cores} `
        + 'cores busy.'
      )
    case 'pace-unknown':
      return `How fast this machine is was not measured: ${one.reason}`
    case 'in-cluster': {
      const where = one.namespace === null ? '' : `, in the namespace ${one.namespace}`
      return `Measured in the cluster of the context ${one.context}${where}.`
    }
    case 'nodes-unknown':
      return 'The context may not list nodes: the report does not say which machine it was, or whether it was only one.'
    case 'one-node':
      return 'The cluster has one node: the generator shares its cores with n8n, and capacity is understated.'
    case 'no-room-for-requests':
      return (
        `No node had room for what the values request, so each pod requests ${one.cpu} of CPU and ${one.memory} `
        + 'instead; limits are as given. Where pods compete for cores, these are shared otherwise than with your '
        + 'requests.'
      )
    case 'no-room-for-generator':
      return (
        'No node had room for the generator’s own CPU and memory, so it shares them with others. It may be late for '
        + 'want of CPU, and n8n may lack what it takes.'
      )
    case 'asked-one-by-one':
      return (
        `${one.containers} containers are asked one by one for their CPU and memory, which takes CPU on this machine: `
        + 'the context may not read the kubelets’ figures (get nodes/proxy).'
      )
    case 'ran-already':
      return `Measured on an n8n that ran already (${one.url}): its settings, limits and machine are unknown.`
    case 'others-counted':
      return (
        'n8n’s metrics count all of its workflows. In a step in which more executions began than the load asked for, '
        + 'how many of its own finished is unknown.'
      )
    case 'outcome-uncounted':
      return (
        'Without --metrics-url the lab does not know how many of the accepted executions finished, failed or were '
        + 'lost, and a rate that holds may still build up a backlog.'
      )
    case 'other-values':
      return 'The profile’s Helm values do not describe this n8n.'
    case 'perhaps-shares-cores':
      return 'If this n8n runs on this machine, the generator shares its cores: capacity is understated.'
    case 'no-answer':
      return (
        `${one.who} did not answer for ${duration(Math.max(1000, one.milliseconds))} (${one.reason}). What happened `
        + 'there meanwhile is not known.'
      )
    case 'outside-unknown':
      return `what its workflows asked of other services is not known: ${one.reason}`
    case 'outcome-not-kept':
      return (
        `n8n is told to keep neither the successful nor the failed executions of ${one.workflow}. How one ended is `
        + 'unknown where its metrics do not say it. EXECUTIONS_DATA_SAVE_ON_ERROR=all, or the workflow’s setting, '
        + 'keeps those that fail.'
      )
    case 'counts-differ': {
      const where = one.of === 'begun' ? 'its queue' : 'its metrics'
      return `n8n’s database counts ${one.database} executions ${one.of}, ${where} ${one.other}.`
    }
    case 'workers-uncounted':
      return (
        'The metrics of this n8n count no executions of workers. The lab asks its database and its queue for the '
        + 'outcome, and sees no backlog that grows.'
      )
    case 'not-explained':
      return `${one.cell} could not be explained: ${one.reason}.`
    case 'driven-again':
      return `${one.reason} The step was driven again.`
    case 'went-on':
      return `The run was stopped, and went on at ${new Date(one.at).toISOString().slice(0, 16).replace('T', ' ')} UTC.`
  }
}
