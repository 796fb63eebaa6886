import { join } from 'node:path'
import type { Container } from '../../chart/plan.ts'
import { createDataTables } from '../../n8n/data-tables.ts'
import { localErrors } from './errors.ts'
import type { Pod } from './pod.ts'
import { seedOnce } from './seed-once.ts'
import { seed } from './seed.ts'
import { settingsFromHere } from './settings.ts'
import { runIn, type PlanContext } from './start-pod.ts'
import { giveTo } from './user.ts'

/** Imports the workflows into the plan's n8n, before its first start. */
export async function seedPlan(pod: Pod, context: PlanContext): Promise<void> {
  const [container] = pod.workload.containers as [Container]
  const { workflows, credentials, signal } = context.order
  const cli = async (args: string[]) => {
    const outcome = await runIn(pod, container, context, { log: 'seed', signal, args })
    signal.throwIfAborted()
    if (outcome.code !== 0) throw localErrors.seedFailed(`n8n ${args[0]}`, outcome.log)
  }
  const tables = [
    ...new Map(workflows.flatMap(({ dataTables = [] }) => dataTables).map((one) => [one.id, one])).values(),
  ]
  const seedVolume = async () => {
    await seed(cli, container.image.tag, {
      workflows,
      credentials,
      folder: join(pod.folder, 'seed'),
      give: (path) => giveTo(pod.owner, path),
    })
    if (!tables.length) return
    await createDataTables(settingsFromHere(pod, container, context), tables).catch((error: Error) => {
      throw localErrors.dataTablesFailed(`${container.image.repository}:${container.image.tag}`, error.message)
    })
  }
  await seedOnce(
    seedVolume,
    pod,
    container,
    [workflows.map(({ imports }) => imports), credentials ?? [], tables],
    join(context.machine.scratch.path, 'seeds'),
  )
}
