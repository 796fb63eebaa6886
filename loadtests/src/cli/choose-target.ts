import { imagesNamed, n8nVersionOf } from '../chart/isolate/images.ts'
import { combinations } from '../run/cells.ts'
import { mergeValues } from '../lib/values.ts'
import { inCluster, onThisMachine, runningAlready, type Place } from '../targets/open.ts'
import { usage } from '../lib/errors.ts'
import { tool } from '../lib/paths.ts'
import type { CommonOptions } from './options.ts'
import type { Prepared } from './prepare.ts'
import type { Experiment } from '../model/experiment.ts'
import { servicesCalled } from '../workload/open.ts'

export interface ChosenTarget extends Place {
  /** Another experiment than the profile's. */
  experiment?: Experiment
}

type Options = Pick<
  CommonOptions,
  | 'target'
  | 'engine'
  | 'allowOutside'
  | 'metricsUrl'
  | 'namespace'
  | 'generators'
  | 'explain'
  | 'dataTables'
  | 'credentials'
>

/** Several configurations cannot be measured on an n8n that keeps its own. */
export function refuseRunning({ target }: Pick<CommonOptions, 'target'>, verb: string, instead: string): void {
  if (target instanceof URL)
    throw usage(
      'check-only',
      `Expected check with a --target that runs already, got ${verb}.`,
      `Its settings are what they are: ${instead}`,
    )
}

/** The target that --target names. Nothing is asked of it yet. */
export async function chooseTarget(
  options: Options,
  prepared: Omit<Prepared, 'profile' | 'locate'>,
): Promise<ChosenTarget> {
  const { target, metricsUrl, namespace, generators, explain } = options
  // What is missing is said before anything starts.
  if (target !== 'kubernetes') tool('k6')
  tool('helm')
  if (explain && target !== 'local')
    throw explainElsewhere(target instanceof URL ? 'the URL of one that runs already' : target)
  if (explain && prepared.engine?.runtime) throw explainElsewhere('containers')
  if (target !== 'local' && options.engine) throw engineElsewhere()
  if (target instanceof URL && options.dataTables !== undefined) throw tablesElsewhere()
  if (generators !== undefined && target !== 'kubernetes') throw onlyForCluster('--generators')
  if (namespace !== undefined && target !== 'kubernetes') throw onlyForCluster('--namespace')
  if (target !== 'local' && prepared.experiment.editors) throw editorsElsewhere()
  if (target !== 'local' && prepared.experiment.schedules) throw schedulesElsewhere()
  if (prepared.experiment.schedules) refuseSchedules(prepared.experiment)
  if (target instanceof URL && prepared.experiment.history) throw historyElsewhere()
  if (target instanceof URL) return attach(target, options, prepared)
  if (metricsUrl.length)
    throw usage(
      'only-for-url',
      `Expected --metrics-url with a --target that is a URL, got another target.`,
      'Leave it out: the lab finds the metrics of what it starts by itself.',
    )
  const { engine, outside, experiment } = prepared
  const { allowOutside: open = false } = options
  if (target === 'local') return onThisMachine({ engine: engine!, outside, open }, named(experiment))
  // Nothing in a cluster is sure to keep n8n from a real database, which no proxy leads elsewhere.
  if (options.credentials !== undefined)
    throw usage(
      'no-credentials-there',
      'Expected --credentials with an n8n on this machine, got --target kubernetes, '
        + 'where n8n could reach the real services.',
      'Leave it out: the lab makes up what the workflows need, and that leads to its mock.',
    )
  const madeUp = !outside && servicesCalled(prepared.workflows).find(({ name }) => isReserved(name))
  if (madeUp)
    throw usage(
      'needs-mock',
      `Expected workflows whose services can be reached from the cluster, got one that calls ${madeUp.name}, which `
        + 'only a mock knows.',
      'Put the address of a service of yours into the workflow, or leave out --allow-outside.',
    )
  const { base, variants } = experiment
  const values = mergeValues(base, variants[0]!.values)
  return inCluster({ namespace, generators, values, outside }, named(experiment))
}

/** Images of the user's own, over all cells. */
const named = (experiment: Experiment): string[] =>
  combinations(experiment).flatMap(({ values }) => imagesNamed(values))

function attach(
  url: URL,
  { metricsUrl }: Options,
  { experiment, workflows, given }: Omit<Prepared, 'profile' | 'locate'>,
): ChosenTarget {
  if (Object.keys(given.set).length) throw notItsValues('--set')
  if (Object.keys(given.values).length) throw notItsValues('--values')
  if (Object.keys(experiment.matrix).length) throw notItsValues('a profile with a matrix')
  const [variant] = experiment.variants
  const otherValues = Object.keys({ ...experiment.base, ...variant!.values }).length > 0
  const token = process.env.N8N_TUNED_METRICS_TOKEN
  const patience = Math.max(leastPatience, 4 * experiment.slo.p95)
  const attachment = { url, metrics: metricsUrl, token, patience, otherValues }
  const webhooks = workflows.map(({ webhook }) => webhook)
  return {
    ...runningAlready(attachment, webhooks),
    experiment: { ...experiment, base: {}, variants: [{ name: variant!.name, values: {} }] },
  }
}

/** Milliseconds. A server that answers later than this, without an objective that says so, is not waited for. */
const leastPatience = 10_000

const notItsValues = (what: string) =>
  usage(
    'not-its-values',
    `Expected a --target that runs already to keep its settings, got ${what}.`,
    'Leave that out; a profile’s load and objective apply, its Helm values do not.',
  )

const explainElsewhere = (got: string) =>
  usage(
    'explain-elsewhere',
    `Expected --explain with an n8n that the lab starts on this machine (--target local), got ${got}.`,
    'Leave --explain out, or measure the same values with --target local.',
  )

const onlyForCluster = (option: string) =>
  usage(
    'only-for-cluster',
    `Expected ${option} with --target kubernetes, got another target.`,
    option === '--namespace'
      ? 'Leave it out: only a cluster has namespaces.'
      : 'Leave it out: on one machine the generator has cores of its own.',
  )

const engineElsewhere = () =>
  usage(
    'only-for-local',
    'Expected --engine with --target local, got another target.',
    'Leave it out: a cluster and an n8n that runs already are what they are.',
  )

const tablesElsewhere = () =>
  usage(
    'only-where-started',
    'Expected --data-tables with an n8n that the lab starts, got the URL of one that runs already.',
    'Leave it out: that n8n has its own.',
  )

const editorsElsewhere = () =>
  usage(
    'editors-elsewhere',
    'Expected --editors with an n8n that the lab starts on this machine (--target local), got another target.',
    'Leave it out, or measure the same values with --target local.',
  )

function refuseSchedules(experiment: Experiment): void {
  if (experiment.load.shape === 'search') throw schedulesNeedRate()
  const early = combinations(experiment)
    .map(({ values }) => n8nVersionOf(values))
    .find((version) => /^[01]\./.test(version))
  if (early === undefined) return
  throw usage(
    'schedules-need-2',
    `Expected n8n 2 or later with --copies, got ${early}: publishing each copy would take it seconds.`,
    'Set image.tag to an n8n 2, or leave --copies out.',
  )
}

const schedulesNeedRate = () =>
  usage(
    'schedules-need-rate',
    'Expected --copies beside a steady load, which lasts over some full minutes, got a search.',
    'Take ./n8n-tuned check with --rate, or a profile whose load is constant.',
  )

const schedulesElsewhere = () =>
  usage(
    'schedules-elsewhere',
    'Expected --copies with an n8n that the lab starts on this machine (--target local), got another target.',
    'Leave it out, or measure the same values with --target local.',
  )

const historyElsewhere = () =>
  usage(
    'only-where-started',
    'Expected --history with an n8n that the lab starts, got the URL of one that runs already.',
    'Leave it out: nothing is written into that n8n’s database, which has a history of its own.',
  )

/** Names that RFC 2606 keeps for examples: nothing answers there. */
const isReserved = (host: string) => /(^|\.)example\.(com|net|org)(:\d+)?$/.test(host)
