import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { paths } from '../../lib/paths.ts'
import { makeScratch, sweepScratch } from '../local/scratch.ts'
import type { Order, Target } from '../target.ts'
import { jobGenerator } from './generator.ts'
import { namespacesOf } from './namespaces.ts'
import { imagesOf } from './images.ts'
import type { Context } from './kubectl.ts'
import { openCluster } from './cluster.ts'
import { filesMap, servePod } from './program.ts'
import { startPlanInCluster, startWhereRoomIs } from './start-plan.ts'
import { surroundingsOf } from './surroundings.ts'
import type { Values } from '../../model/experiment.ts'
import type { OutsideOrder } from '../../model/outside.ts'

interface Options {
  /** The user's own, if the lab shall make none. */
  namespace?: string
  /** Pods of k6 that share each load. */
  generators?: number
  /** The mock for services; null if workflows call the real ones. */
  outside?: OutsideOrder | null
}

/** Measures in a cluster: installs the chart in namespaces of the lab's own, and runs k6 beside it. */
export async function kubernetesTarget(
  context: Context,
  values: Values,
  { namespace: given, generators: parts, outside = null }: Options = {},
): Promise<Target> {
  const images = await imagesOf(values)
  await sweepScratch()
  const scratch = await makeScratch()
  const cluster = await openCluster(context, scratch.path).catch(async (error) => {
    await scratch.remove()
    throw error
  })
  const { api } = cluster
  const namespaces = namespacesOf(api, given ?? null)
  const run = `n8n-tuned-${randomBytes(4).toString('hex')}`
  const own = namespaces.own(run)
  const files = `${run}-scenarios`
  /** Of the plan that is under load. */
  let tell: Order['onUnseen']
  let plans = 0
  let servers = 0

  async function close(): Promise<void> {
    await namespaces.close()
    cluster.close()
    await scratch.remove()
  }

  try {
    await namespaces.sweep()
    await namespaces.make(run)
    await api.create(`/api/v1/namespaces/${own.namespace}/configmaps`, filesMap(files, own, await scenarios()))
    return {
      limits: { kind: 'Kubernetes', enforced: true },
      // The cluster decides where pods run.
      cores: { target: [], generator: [] },
      surroundings: await surroundingsOf(api, context.name, given ?? null),
      generator: jobGenerator({ cluster, own, images, files, parts, onUnseen: (warning) => tell?.(warning) }),
      up(plan, order) {
        tell = order.onUnseen
        const site = { scratch: scratch.path, cluster, namespaces, images, outside }
        return startWhereRoomIs(plan, order, (one) => startPlanInCluster(one, order, `${run}-${plans++}`, site))
      },
      serve: (file, limits) => servePod(api, own, `${run}-server-${servers++}`, file, limits, images),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function scenarios(): Promise<Record<string, string>> {
  const names = await readdir(paths.scenarios)
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [basename(name), await readFile(join(paths.scenarios, name), 'utf8')])),
  )
}
