import { imagesNamed } from '../chart/isolate/images.ts'
import { isolate } from '../chart/isolate/isolate.ts'
import type { Where } from '../chart/isolate/where.ts'
import type { Plan } from '../chart/plan.ts'
import { processGenerator } from '../load/process.ts'
import { product } from '../run/cells.ts'
import { atPath, mergeValues } from '../lib/values.ts'
import { attachedTarget, planOfOthers, tryAttachment } from '../targets/attached/attached.ts'
import { clusterAnswers, currentContext, type Context } from '../targets/kubernetes/kubectl.ts'
import { kubernetesTarget } from '../targets/kubernetes/kubernetes.ts'
import { imagesNotPullable } from '../targets/kubernetes/pullable.ts'
import { refuseMissingRights } from '../targets/kubernetes/refuse-missing-rights.ts'
import { imagesMissing as missingHere, imagesToPull } from '../targets/local/containers/images.ts'
import { findRuntime, runtimeName } from '../targets/local/containers/runtime.ts'
import { localTarget } from '../targets/local/local.ts'
import { usage } from '../lib/errors.ts'
import type { Fail } from '../lib/repeat.ts'
import { tool } from '../lib/paths.ts'
import type { Target } from '../targets/target.ts'
import type { CommonOptions } from './options.ts'
import type { Prepared } from './prepare.ts'
import type { Experiment } from '../model/experiment.ts'
import { servicesCalled } from '../workload/services.ts'

export interface ChosenTarget {
  openTarget: (fail: Fail) => Promise<Target>
  /** The place, where it is not obvious. */
  label?: string
  /** The cluster that kubectl leads to. */
  cluster?: Context
  /** Looks, once the user agrees, whether it answers as it should. */
  look?: () => Promise<void>
  /** Where images come from there. */
  images?: Where['images']
  /** Tries the images of the user's own there, once the user agrees. */
  where?: () => Promise<Where>
  /** Images of the plans that a container runtime of this machine would pull, and its name. */
  pulls?: (plans: Plan[]) => Promise<{ program: string; images: string[] }>
  /** Another plan and experiment than the chart's and the profile's. */
  plan?: () => Promise<Plan>
  experiment?: Experiment
}

type Options = Pick<
  CommonOptions,
  'target' | 'engine' | 'allowOutside' | 'metricsUrl' | 'namespace' | 'generators' | 'explain' | 'dataTables'
>

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
  if (explain && options.engine === 'container') throw explainElsewhere('containers')
  if (target !== 'local' && options.engine) throw onlyForLocal('--engine')
  if (target !== 'local' && options.dataTables !== undefined) throw onlyForLocal('--data-tables')
  if (generators !== undefined && target !== 'kubernetes') throw onlyForCluster('--generators')
  if (namespace !== undefined && target !== 'kubernetes') throw onlyForCluster('--namespace')
  if (target instanceof URL) return attach(target, options, prepared)
  if (metricsUrl.length)
    throw usage(
      'only-for-url',
      `Expected --metrics-url with a --target that is a URL, got another target.`,
      'Leave it out: the lab finds the metrics of what it starts by itself.',
    )
  if (target === 'local') return onThisMachine(options, prepared)
  if (prepared.credentials.length)
    throw usage(
      'no-credentials-there',
      'Expected --credentials with an n8n on this machine, got --target kubernetes, where the lab imports none.',
      'Measure the same values with --target local, or workflows that need no credentials.',
    )
  const madeUp = servicesCalled(prepared.workflows).find(({ name }) => isReserved(name))
  if (madeUp)
    throw usage(
      'needs-mock',
      `Expected workflows whose services can be reached from the cluster, got one that calls ${madeUp.name}, which the `
        + 'lab mocks on this machine alone.',
      'Put the address of a service of yours into the workflow, or measure it with --target local.',
    )
  const context = await currentContext()
  // Images come from the same registry as those of the first variant.
  const { base, variants } = prepared.experiment
  let known: Promise<Where> | undefined
  const where = (): Promise<Where> =>
    (known ??= imagesNotPullable(context, namespace ?? null, named(prepared.experiment)).then((missing) => ({
      images: 'pulled',
      missing,
    })))
  return {
    async openTarget() {
      const { values } = isolate(mergeValues(base, variants[0]!.values), await where())
      return kubernetesTarget(context, values, { namespace, generators })
    },
    images: 'pulled',
    where,
    label: `On the cluster of the context ${context.name} (${context.server})`,
    cluster: context,
    async look() {
      await clusterAnswers(context)
      await refuseMissingRights(context, namespace ?? null)
    },
  }
}

async function onThisMachine(
  { engine, allowOutside }: Options,
  { outside, experiment }: Omit<Prepared, 'profile' | 'locate'>,
): Promise<ChosenTarget> {
  if (process.platform !== 'linux')
    throw usage(
      'linux-only',
      `Expected Linux to start n8n on this machine, got ${process.platform}.`,
      'Measure on a cluster (--target kubernetes) or an n8n that already runs (--target URL), or use a Linux VM.',
    )
  if (engine !== 'container')
    return {
      openTarget: (fail) => localTarget(processGenerator, { outside, open: allowOutside === true, fail }),
      images: 'installed',
    }
  const runtime = await findRuntime()
  return {
    openTarget: (fail) => localTarget(processGenerator, { runtime, outside, open: allowOutside === true, fail }),
    images: 'pulled',
    where: async () => ({
      images: 'pulled',
      missing: await missingHere(runtime, named(experiment), {
        signal: new AbortController().signal,
        onProgress: (line) => void process.stderr.write(`${line}\n`),
      }),
    }),
    pulls: async (plans) => ({
      program: runtime.program,
      images: await imagesToPull(
        runtime,
        plans.flatMap(({ workloads }) =>
          workloads.flatMap(({ init, containers }) =>
            [...init, ...containers].map(({ image }) => `${image.repository}:${image.tag}`),
          ),
        ),
      ),
    }),
    label: `In containers of ${runtimeName(runtime)}`,
  }
}

/** Images of the user's own, over all cells. */
const named = ({ base, variants, matrix }: Experiment): string[] =>
  variants.flatMap(({ values }) =>
    product(matrix).flatMap((cell) =>
      imagesNamed(mergeValues(base, values, ...Object.entries(cell).map(([path, value]) => atPath(path, value)))),
    ),
  )

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
  const attachment = { url, metrics: metricsUrl, token: process.env.N8N_TUNED_METRICS_TOKEN, otherValues }
  return {
    openTarget: () => attachedTarget(attachment, processGenerator),
    look: () =>
      tryAttachment(
        attachment,
        workflows.map(({ webhook }) => webhook),
      ),
    label: `On ${url.href}`,
    plan: planOfOthers,
    experiment: { ...experiment, base: {}, variants: [{ name: variant!.name, values: {} }] },
  }
}

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

const onlyForLocal = (option: string) =>
  usage(
    'only-for-local',
    `Expected ${option} with --target local, got another target.`,
    'Leave it out: a cluster and an n8n that runs already are what they are.',
  )

/** Names that RFC 2606 keeps for examples: nothing answers there. */
const isReserved = (host: string) => /(^|\.)example\.(com|net|org)(:\d+)?$/.test(host)
