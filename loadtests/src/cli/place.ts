import { processGenerator } from '../load/process.ts'
import { currentContext } from '../target/kubernetes/context.ts'
import { kubernetesTarget } from '../target/kubernetes/kubernetes.ts'
import { localTarget } from '../target/local/local.ts'
import type { Target } from '../target/target.ts'
import { mergeValues } from '../values.ts'
import { confirmLoad } from './confirm.ts'
import type { CommonOptions } from './options.ts'
import type { Prepared } from './prepare.ts'

export interface Place {
  openTarget: () => Promise<Target>
  /** What will be loaded, where that is not plain. */
  label?: string
}

/** What --target names, reached and agreed to before anything is written or started. */
export async function choosePlace({ target, yes }: Pick<CommonOptions, 'target' | 'yes'>, { experiment }: Pick<Prepared, 'experiment'>): Promise<Place> {
  if (target === 'local') return { openTarget: () => localTarget(processGenerator) }
  const context = await currentContext()
  const cluster = `the cluster of the context ${context.name} (${context.server})`
  if (!context.local) await confirmLoad(cluster, yes)
  // Images come from where the first variant's do.
  const values = mergeValues(experiment.base, experiment.variants[0]!.values)
  return { openTarget: () => kubernetesTarget(context, values), label: `On ${cluster}` }
}
