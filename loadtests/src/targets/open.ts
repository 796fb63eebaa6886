import { isolate } from '../chart/isolate/isolate.ts'
import type { Where } from '../chart/isolate/where.ts'
import { imagesOfPlans } from '../chart/executing.ts'
import type { Plan } from '../chart/plan.ts'
import type { Fail } from '../lib/repeat.ts'
import { processGenerator } from '../load/process.ts'
import type { Values } from '../model/experiment.ts'
import type { OutsideOrder } from '../model/outside.ts'
import { progressWords } from '../report/progress-words.ts'
import { attachedTarget, planOfOthers, tryAttachment, type Attachment } from './attached/attached.ts'
import { clusterAnswers, currentContext } from './kubernetes/kubectl.ts'
import { kubernetesTarget } from './kubernetes/kubernetes.ts'
import { imagesNotPullable } from './kubernetes/pullable.ts'
import { triesToAnswer } from './kubernetes/ready.ts'
import { refuseMissingRights } from './kubernetes/refuse-missing-rights.ts'
import { imagesMissing, imagesToPull } from './local/containers/images.ts'
import { containersBy } from './local/containers/runtime.ts'
import { processes } from './local/engine.ts'
import { localTarget } from './local/local.ts'
import type { HereAsked } from './local/machine.ts'
import { sealingHere, type Sealing } from './local/sealed.ts'
import type { Target, Webhook } from './target.ts'

/** A place for n8n, before it is opened. Nothing is asked of it yet. */
export interface Place {
  openTarget: (fail: Fail) => Promise<Target>
  /** The place, where it is not obvious. */
  label?: string
  /** The cluster that kubectl leads to, and how often at most a workflow is executed there until it answers. */
  cluster?: { name: string; server: string; tries: number }
  /** Looks, once the user agrees, whether it answers as it should. */
  look?: () => Promise<void>
  /** Where images come from there. */
  images?: Where['images']
  /** Tries the images of the user's own there, once the user agrees. */
  where?: () => Promise<Where>
  /** Images of the plans that a container runtime of this machine would pull, and its name. */
  pulls?: (plans: Plan[]) => Promise<{ program: string; images: string[] }>
  /** How far n8n is kept apart from this machine. */
  sealing?: () => Promise<Sealing>
  /** Another plan than the chart's. */
  plan?: () => Promise<Plan>
}

/** `images`: those of the user's own. */
export function onThisMachine(asked: HereAsked, images: string[]): Place {
  const {
    engine: { runtime, reason },
    outside,
    open,
  } = asked
  const here: Pick<Place, 'openTarget' | 'sealing' | 'label'> = {
    openTarget: (fail) => localTarget(processGenerator, { runtime, engineReason: reason, outside, open, fail }),
    sealing: () => sealingHere(asked),
    label: progressWords.takes(runtime ? containersBy(runtime) : processes, reason),
  }
  if (!runtime) return { ...here, images: 'installed' }
  return {
    ...here,
    images: 'pulled',
    where: async () => ({
      images: 'pulled',
      missing: await imagesMissing(runtime, images, {
        signal: new AbortController().signal,
        onProgress: (line) => void process.stderr.write(`${line}\n`),
      }),
    }),
    pulls: async (plans) => ({ program: runtime.program, images: await imagesToPull(runtime, imagesOfPlans(plans)) }),
  }
}

interface ClusterAsked {
  /** The user's own, if the lab shall make none. */
  namespace?: string
  /** Pods of k6 that share each load. */
  generators?: number
  /** Images come from the same registry as those of these values. */
  values: Values
  /** The mock for services; null if workflows call the real ones. */
  outside: OutsideOrder | null
}

/** In the cluster that kubectl leads to. `images`: those of the user's own. */
export async function inCluster(
  { namespace, generators, values, outside }: ClusterAsked,
  images: string[],
): Promise<Place> {
  const context = await currentContext()
  const { name, server } = context
  let known: Promise<Where> | undefined
  const where = () =>
    (known ??= imagesNotPullable(context, namespace ?? null, images).then((missing) => ({ images: 'pulled', missing })))
  return {
    openTarget: async () =>
      kubernetesTarget(context, isolate(values, await where()).values, { namespace, generators, outside }),
    images: 'pulled',
    where,
    label: progressWords.inCluster(name, server),
    cluster: { name, server, tries: triesToAnswer },
    async look() {
      await clusterAnswers(context)
      await refuseMissingRights(context, namespace ?? null)
    },
  }
}

/** An n8n that runs already, and that answers at these webhooks. */
export const runningAlready = (attachment: Attachment, webhooks: Webhook[]): Place => ({
  openTarget: () => attachedTarget(attachment, processGenerator),
  look: () => tryAttachment(attachment, webhooks),
  label: progressWords.onOther(attachment.url.href),
  plan: planOfOthers,
})
