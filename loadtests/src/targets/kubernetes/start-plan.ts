import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../lib/make-folder.ts'
import { packagesFetched } from '../../chart/community-nodes.ts'
import type { Plan, Service } from '../../chart/plan.ts'
import { progressWords } from '../../report/progress-words.ts'
import { shown } from '../../secret/known.ts'
import { mergeValues } from '../../lib/values.ts'
import { fileName } from '../../lib/names.ts'
import { invalid, LabError } from '../../lib/errors.ts'
import type { DataTable } from '../../n8n/data-tables.ts'
import { giveDataTables, tablesOf } from '../data-tables.ts'
import type { Order } from '../target.ts'
import { withMockAddress, type OutsideOrder } from '../../model/outside.ts'
import type { Running } from '../../n8n/running.ts'
import type { Api } from './api.ts'
import type { Cluster } from './cluster.ts'
import { injectIntoPods, rolledOut } from './faults/inject.ts'
import { prepareStores, prepareValues } from './faults/prepare.ts'
import type { OwnNamespaces } from './namespaces.ts'
import type { Images } from './images.ts'
import { install, madeSecrets, named, upgrade, type Installation } from './install.ts'
import type { PodObject } from './objects.ts'
import { watchProcess } from './process.ts'
import { startMockPod, type PodMock } from './outside.ts'
import { reach, type Reached } from './reach.ts'
import { ownClock, podsReady, webhookReadyInCluster } from './ready.ts'
import { kubeletsFor } from './usage.ts'
import { watchPods } from './watch.ts'

export interface Site {
  /** A folder that is removed with the lab. */
  scratch: string
  cluster: Cluster
  namespaces: OwnNamespaces
  images: Images
  /** The mock for services; null if workflows call the real ones. */
  outside: OutsideOrder | null
}

/** Runs one plan in a namespace of its own, from the chart's installation to its removal. */
export async function startPlanInCluster(
  rendered: Plan,
  order: Order,
  name: string,
  { scratch, cluster, namespaces, images, outside }: Site,
): Promise<Running> {
  const { processFaults = [] } = order
  const { api, context } = cluster
  const own = namespaces.own(name)
  const { namespace } = own
  const plan = named(rendered, own)
  const watch = watchPods(api, own, plan, order.onEvent, order.onUnseen)
  const service = entryOf(plan)
  const main = mainOf(plan)
  const kubelets = await kubeletsFor(plan, api, order.onUnseen)
  const processes = plan.workloads.flatMap((workload) =>
    Array.from({ length: workload.replicas }, (_, index) => `${workload.component}-${index}`).flatMap((slot) =>
      workload.containers.map((container) =>
        watchProcess(slot, workload, container, { cluster, namespace, watch, entry: service.component, kubelets }),
      ),
    ),
  )

  const installation: Installation = {
    scratch,
    context,
    own,
    values: mergeValues(await prepareValues(processFaults, plan.values), madeSecrets(plan.values)),
    workflows: order.workflows,
    credentials: order.credentials,
    signal: order.signal,
  }

  let mock: PodMock | null = null
  let reached: Reached | undefined
  let downed: Promise<void> | undefined
  async function takeDown(): Promise<void> {
    reached?.close()
    await watch.stop()
    for (const process of processes) process.close()
    await saveLogs(api, namespace, watch.pods(), order.logs)
    await namespaces.remove(name)
  }
  const down = () => (downed ??= takeDown())

  const allReady = (signal: AbortSignal) => podsReady(api, namespace, plan, watch, signal)
  async function answering(signal: AbortSignal, { onAnswer }: Pick<Order, 'onAnswer'> = {}): Promise<number> {
    let begun = 0
    for (const workflow of order.workflows) {
      const { webhook } = workflow
      begun += await webhookReadyInCluster(api, namespace, webhook.onMain ? main : service, webhook, signal, {
        ...ownClock,
        ...(onAnswer && { onFailed: (answer) => onAnswer(workflow, answer) }),
      })
    }
    return begun
  }

  try {
    await namespaces.make(name)
    order.onProgress(progressWords.installsChart)
    const allow = [...(outside?.allow ?? []), ...packagesFrom(plan)]
    mock = outside && (await startMockPod({ ...outside, allow }, { context, api, own, images, signal: order.signal }))
    if (mock) {
      installation.values = mock.lead(installation.values)
      installation.credentials = withMockAddress(order.credentials ?? [], mock.address)
    }
    await install(installation)
    await prepareStores({ processFaults, plan, images }, api, namespace)
    order.onProgress(progressWords.awaitsPods)
    await allReady(order.signal)
    const { name: pod } = watch.pods().get(`${service.component}-0`)!.metadata
    reached = await reach(context, namespace, pod, plan.services)
    await makeDataTables(tablesOf(order.workflows), reached, plan)
    // Where services are mocked, a workflow that fails would fail again.
    await answering(order.signal, mock ? order : {})
  } catch (error) {
    await down()
    throw error
  }
  for (const slot of watch.pods().keys()) order.onEvent({ at: Date.now(), process: slot, kind: 'ready' })
  const inject: Running['inject'] = (what) => injectIntoPods(what, { cluster, namespace, plan, watch })
  return {
    settings: reached.settings,
    stores: reached.stores,
    ...(mock && { outside: mock.count }),
    inject,
    async upgrade(tag) {
      await upgrade({ ...installation, values: mergeValues(installation.values, { image: { tag } }) })
      await rolledOut({ api, namespace, plan })
    },
    url: `http://${service.name}.${namespace}:${service.port}`,
    mainUrl: `http://${main.name}.${namespace}:${main.port}`,
    processes,
    async ready(signal) {
      await allReady(signal)
      return answering(signal)
    },
    down,
  }
}

/** Before the first execution, but in an n8n that runs: it reads them from its database each time. */
async function makeDataTables(tables: DataTable[], { settings }: Reached, { workloads }: Plan): Promise<void> {
  if (tables.length && !settings)
    throw invalid(
      'no-data-tables-there',
      'Expected a database in which the lab can make the data tables '
        + `${tables.map(({ name }) => name).join(', ')}, got one that it does not reach.`,
      'Give the n8n of the run a PostgreSQL of its own: --set database.type=embedded.',
    )
  const [n8n] = workloads.find(({ component }) => component === 'main')!.containers
  if (settings) await giveDataTables(tables, settings, n8n!.image)
}

/** Where npm fetches community nodes from, before n8n starts, as `allow` of the rules has it: no mock has those. */
function packagesFrom(plan: Plan): string[] {
  const from = packagesFetched([plan]).flatMap(({ registry, packages }) => [
    /^https?:/.test(registry) ? registry : `https://${registry}`,
    ...packages.filter((spec) => /^https?:/.test(spec)),
  ])
  return [...new Set(from.filter((address) => URL.canParse(address)).map((one) => `${new URL(one).hostname}:443`))]
}

const mainOf = ({ services }: Plan): Service => services.find(({ component }) => component === 'main')!

/** Webhook processors take the webhooks, if there are any. */
const entryOf = (plan: Plan): Service => plan.services.find(({ component }) => component === 'webhook') ?? mainOf(plan)

const longest = 10 * 2 ** 20

async function saveLogs(api: Api, namespace: string, pods: Map<string, PodObject>, folder: string): Promise<void> {
  makeFolder(folder)
  for (const [slot, pod] of pods) {
    for (const { name } of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
      const said = await api.ask(
        `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/log?container=${name}&limitBytes=${longest}`,
        { timeout: 10_000 },
      )
      if (said?.status === 200)
        await writeFile(
          join(folder, `${fileName(name === pod.spec.containers[0]!.name ? slot : `${slot}-${name}`)}.log`),
          shown(said.text),
          { mode: 0o600 },
        )
    }
  }
}

/** Of each pod of n8n and its stores, where no node has room for what the values request. */
const small = { requests: { cpu: '20m', memory: '64Mi' } }

/** Requests only reserve room on a node. What n8n may use is said by its limits, which stay. */
export function withSmallRequests(plan: Plan): Plan {
  const role = { resources: small }
  const store = { embedded: role }
  const values = mergeValues(plan.values, {
    ...{ main: role, worker: role, webhook: role, runner: role },
    ...{ database: store, redis: store },
  })
  return { ...plan, values }
}

/** Starts the plan, and once more with small requests if its nodes have no room: production's are larger, or more. */
export async function startWhereRoomIs(
  plan: Plan,
  order: Order,
  start: (plan: Plan) => Promise<Running>,
): Promise<Running> {
  try {
    return await start(plan)
  } catch (error) {
    if (!(error instanceof LabError) || error.code !== 'no-room') throw error
    order.onUnseen?.({ code: 'no-room-for-requests', ...small.requests })
    return start(withSmallRequests(plan))
  }
}
