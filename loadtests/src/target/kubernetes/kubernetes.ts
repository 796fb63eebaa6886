import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Values } from '../../profile/experiment.ts'
import { paths } from '../../support/paths.ts'
import { makeScratch, sweepScratch } from '../local/scratch.ts'
import type { Target } from '../target.ts'
import type { Context } from './context.ts'
import { jobGenerator } from './generator.ts'
import { imagesOf } from './images.ts'
import { filesMap } from './manifests.ts'
import { namespacesOf } from './namespaces.ts'
import { openCluster } from './proxy.ts'
import { servePod } from './serve.ts'
import { startPlan } from './start-plan.ts'
import { surroundingsOf } from './surroundings.ts'

/** Measures in a cluster: installs the chart in the lab's own namespaces, and runs k6 beside it. */
export async function kubernetesTarget(context: Context, values: Values, parts?: number): Promise<Target> {
  const images = await imagesOf(values)
  await sweepScratch()
  const scratch = await makeScratch()
  const api = await openCluster(context, scratch.path).catch(async (error) => {
    await scratch.remove()
    throw error
  })
  const namespaces = namespacesOf(api)
  const namespace = `n8n-tuned-${randomBytes(4).toString('hex')}`
  const files = 'scenarios'
  let plans = 0
  let servers = 0

  async function close(): Promise<void> {
    await namespaces.close()
    api.close()
    await scratch.remove()
  }

  try {
    await namespaces.sweep()
    await namespaces.make(namespace)
    await api.create(`/api/v1/namespaces/${namespace}/configmaps`, filesMap(files, await scenarios()))
    return {
      limits: { kind: 'Kubernetes', enforced: true },
      // The cluster decides where pods run.
      cores: { target: [], generator: [] },
      surroundings: await surroundingsOf(api, context),
      generator: jobGenerator({ api, context: context.name, namespace, images, files, parts }),
      up: (plan, order) =>
        startPlan(plan, order, `${namespace}-${plans++}`, {
          scratch: scratch.path,
          api,
          context: context.name,
          namespaces,
          images,
        }),
      serve: (file, limits) => servePod(api, namespace, `server-${servers++}`, file, limits, images),
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
