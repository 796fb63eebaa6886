import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { paths } from '../../lib/paths.ts'
import { makeScratch, sweepScratch } from '../local/scratch.ts'
import type { Target } from '../target.ts'
import type { Context } from './context.ts'
import { jobGenerator } from './generator.ts'
import { homesOf } from './homes.ts'
import { imagesOf } from './images.ts'
import { filesMap } from './manifests.ts'
import { openCluster } from './proxy.ts'
import { servePod } from './serve.ts'
import { startWhereRoomIs } from './small-requests.ts'
import { startPlan } from './start-plan.ts'
import { surroundingsOf } from './surroundings.ts'
import type { Values } from '../../model/experiment.ts'

interface Options {
  /** The user's own, if the lab shall make none. */
  namespace?: string
  /** Pods of k6 that share each load. */
  generators?: number
}

/** Measures in a cluster: installs the chart in homes of the lab's own, and runs k6 beside it. */
export async function kubernetesTarget(
  context: Context,
  values: Values,
  { namespace: given, generators: parts }: Options = {},
): Promise<Target> {
  const images = await imagesOf(values)
  await sweepScratch()
  const scratch = await makeScratch()
  const api = await openCluster(context, scratch.path).catch(async (error) => {
    await scratch.remove()
    throw error
  })
  const homes = homesOf(api, given ?? null)
  const run = `n8n-tuned-${randomBytes(4).toString('hex')}`
  const home = homes.home(run)
  const files = `${run}-scenarios`
  let plans = 0
  let servers = 0

  async function close(): Promise<void> {
    await homes.close()
    api.close()
    await scratch.remove()
  }

  try {
    await homes.sweep()
    await homes.make(run)
    await api.create(`/api/v1/namespaces/${home.namespace}/configmaps`, filesMap(files, home, await scenarios()))
    return {
      limits: { kind: 'Kubernetes', enforced: true },
      // The cluster decides where pods run.
      cores: { target: [], generator: [] },
      surroundings: await surroundingsOf(api, context, given ?? null),
      generator: jobGenerator({ api, context: context.name, home, images, files, parts }),
      up: (plan, order) =>
        startWhereRoomIs(plan, order, (one) =>
          startPlan(one, order, `${run}-${plans++}`, {
            scratch: scratch.path,
            api,
            context: context.name,
            homes,
            images,
          }),
        ),
      serve: (file, limits) => servePod(api, home, `${run}-server-${servers++}`, file, limits, images),
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
