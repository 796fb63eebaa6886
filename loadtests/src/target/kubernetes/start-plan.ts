import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plan, Service } from '../../chart/plan.ts'
import { mergeValues } from '../../shared/values.ts'
import { begunBy, type Order, type Running } from '../target.ts'
import type { Api } from './api.ts'
import { disturb, rolledOut } from './faults/disturb.ts'
import { prepareStores } from './faults/prepare-stores.ts'
import { prepareValues } from './faults/prepare-values.ts'
import type { Images } from './images.ts'
import { install, upgrade, type Installation } from './install.ts'
import type { Namespaces } from './namespaces.ts'
import { processOf } from './process.ts'
import { reach, type Reached } from './reach.ts'
import { podsReady, webhookReady } from './ready.ts'
import { watchPods } from './watch.ts'

export interface Site {
  /** A folder that is removed with the lab. */
  scratch: string
  api: Api
  context: string
  namespaces: Namespaces
  images: Images
}

/** Runs one plan in its own namespace, from the chart's installation to its removal. */
export async function startPlan(
  plan: Plan,
  order: Order,
  namespace: string,
  { scratch, api, context, namespaces, images }: Site,
): Promise<Running> {
  const { disturbances = [] } = order
  const watch = watchPods(api, namespace, plan, order.onEvent, order.onUnseen)
  const service = entryOf(plan)
  const main = mainOf(plan)
  const processes = plan.workloads.flatMap((workload) =>
    Array.from({ length: workload.replicas }, (_, index) => `${workload.component}-${index}`).flatMap((slot) =>
      workload.containers.map((container) =>
        processOf(slot, workload, container, { api, context, namespace, watch, entry: service.component }),
      ),
    ),
  )

  const installation: Installation = {
    scratch,
    context,
    namespace,
    values: await prepareValues(disturbances, plan.values),
    workflows: order.workflows,
    signal: order.signal,
  }

  let reached: Reached | undefined
  let downed: Promise<void> | undefined
  async function takeDown(): Promise<void> {
    reached?.close()
    await watch.stop()
    for (const process of processes) process.close()
    await saveLogs(api, namespace, watch.pods(), order.logs)
    await namespaces.remove(namespace)
  }
  const down = () => (downed ??= takeDown())

  async function ready(signal: AbortSignal): Promise<number> {
    await podsReady(api, namespace, plan, watch, signal)
    for (const { webhook } of order.workflows)
      await webhookReady(api, namespace, webhook.onMain ? main : service, webhook, signal)
    return begunBy(order.workflows)
  }

  try {
    await namespaces.make(namespace)
    order.onProgress('Installing the chart')
    await install(installation)
    await prepareStores({ disturbances, plan, images }, api, namespace)
    order.onProgress('Waiting until every pod is ready')
    await ready(order.signal)
    reached = await reach(api, context, namespace, watch.pods().get(`${service.component}-0`).metadata.name)
  } catch (error) {
    await down()
    throw error
  }
  for (const slot of watch.pods().keys()) order.onEvent({ at: Date.now(), process: slot, kind: 'ready' })
  const harm: Running['disturb'] = (what) => disturb(what, { api, context, namespace, plan, watch })
  return {
    settings: reached.settings,
    disturb: harm,
    async upgrade(tag) {
      await upgrade({ ...installation, values: mergeValues(installation.values, { image: { tag } }) })
      await rolledOut({ api, namespace, plan })
    },
    url: `http://${service.name}.${namespace}:${service.port}`,
    mainUrl: `http://${main.name}.${namespace}:${main.port}`,
    processes,
    ready,
    down,
  }
}

const mainOf = ({ services }: Plan): Service => services.find(({ component }) => component === 'main')!

/** Webhook processors take the webhooks, if there are any. */
const entryOf = (plan: Plan): Service => plan.services.find(({ component }) => component === 'webhook') ?? mainOf(plan)

const longest = 10 * 2 ** 20

async function saveLogs(api: Api, namespace: string, pods: Map<string, any>, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [slot, pod] of pods) {
    for (const { name } of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
      const said = await api.ask(
        `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/log?container=${name}&limitBytes=${longest}`,
        { timeout: 10_000 },
      )
      if (said?.status === 200)
        await writeFile(
          join(folder, name === pod.spec.containers[0].name ? `${slot}.log` : `${slot}-${name}.log`),
          said.text,
          { mode: 0o600 },
        )
    }
  }
}
