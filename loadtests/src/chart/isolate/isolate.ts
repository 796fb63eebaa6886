import { isMap, valueAt } from '../../lib/values.ts'
import {
  draftOf,
  dropValue,
  dropGiven,
  isGiven,
  leftOut,
  listAt,
  nothing,
  put,
  textAt,
  type IsolatedDraft,
} from './draft.ts'
import { imagesToBeHad } from './images.ts'
import { ownPods } from './pods.ts'
import { ownStores } from './stores.ts'
import { ownVolumesOfRoles } from './volumes.ts'
import { ownVariables } from './variables.ts'
import { isHere, type Folders, type Where } from './where.ts'
import type { Values } from '../../model/experiment.ts'
import type { SetAside } from '../../model/environment.ts'

export { joinReasons } from './draft.ts'
export type { SetAside } from '../../model/environment.ts'

/**
 * Values of production as a run may use them: on stores of its own, without Secrets that exist only there, and calling
 * nobody. What n8n is tuned with stays as it is, because that is what is measured. Says what was set aside; isolated
 * values come back as they are.
 */
export function isolate(values: Values, where: Where = {}): { values: Values; setAside: SetAside[] } {
  const draft = draftOf(values)
  ownStores(draft, where)
  noOtherServices(draft)
  imagesToBeHad(draft, where)
  const folders = ownVolumesOfRoles(draft)
  ownVariables(draft, where, folders)
  fewerCommunityNodes(draft, where, folders)
  ownPods(draft)
  noSurroundings(draft)
  return { values: draft.values, setAside: draft.setAside() }
}

/** Other services that n8n would call: the licence server, mail, single sign-on, S3. */
function noOtherServices({ values, aside }: IsolatedDraft): void {
  noLicence({ values, aside })
  ownFiles({ values, aside })
  const gone = dropGiven(values, ['smtp', 'sso', 'owner', 'logStreaming', 'telemetry.enabled'])
  if (gone.length) aside(gone, leftOut, 'n8n sends no mail, events or usage data, and nobody signs in')
  const trusted = dropGiven(values, ['customCA'])
  if (trusted.length) aside(trusted, leftOut, 'Calls to hosts with such a certificate fail')
}

/** Activating it would take a seat. */
function noLicence({ values, aside }: IsolatedDraft): void {
  if (!['license.existingSecret.name', 'license.value'].some((path) => isGiven(valueAt(values, path)))) return
  dropValue(values, 'license')
  aside('license', leftOut, 'What takes a licence is off')
  const pools = listAt(values, 'worker.pools')
  if (pools.length) {
    dropValue(values, 'worker.pools')
    aside(
      pools.map((pool) => `worker.pools ${String(pool.name)}`),
      leftOut,
      'A pool takes a licence: its executions and its CPU are not measured',
    )
  }
  const mains = Number(valueAt(values, 'main.replicas'))
  if (mains > 1) {
    put(values, 'main.replicas', 1)
    aside(`main.replicas ${mains}`, '1', 'Several mains take a licence: there is less CPU for what main does')
  }
}

const stored = new Set<unknown>(['s3', 'azure'])

/** Files of workflows go where n8n keeps them without a bucket. */
function ownFiles({ values, aside }: IsolatedDraft): void {
  if (!stored.has(valueAt(values, 'binaryData.mode'))) return
  const bucket = textAt(values, 'binaryData.s3.bucket')
  const queue = valueAt(values, 'executions.mode') === 'queue'
  values.binaryData = { mode: queue ? 'database' : 'filesystem' }
  aside(
    `binaryData in the bucket ${bucket}`,
    queue ? 'PostgreSQL' : 'a new volume',
    'Workflows with files write elsewhere',
  )
}

/** npm is only asked for packages whose nodes a measured workflow has. */
function fewerCommunityNodes({ values, aside }: IsolatedDraft, where: Where, folders: Folders): void {
  const { packages = [] } = where
  const given = valueAt(values, 'communityNodes.packages')
  if (!Array.isArray(given)) return
  const isNeeded = (spec: string) =>
    spec.startsWith('/')
      ? packages.length > 0 && isHere(spec, where, folders)
      : packages.some((name) => spec.includes(name))
  const needed = given.filter((spec) => isNeeded(String(spec)))
  if (needed.length === given.length) return
  if (needed.length) put(values, 'communityNodes.packages', needed)
  else dropValue(values, 'communityNodes')
  aside(
    given.filter((spec) => !needed.includes(spec)).map((spec) => `communityNodes ${String(spec)}`),
    leftOut,
    'No measured workflow has their nodes. n8n takes less memory without them',
  )
}

/** What would bring callers, scrapers or others of production to the measured n8n, or stands beside it. */
function noSurroundings({ values, aside }: IsolatedDraft): void {
  const switched = [
    ...['ingress', 'gateway', 'backup', 'loadtest.k6', 'loadtest.nightly'],
    ...['podMonitor', 'rules', 'dashboard'].map((name) => `monitoring.${name}`),
  ].filter((path) => isGiven(valueAt(values, `${path}.enabled`)))
  const inFront = switched.filter((path) => ['ingress', 'gateway'].includes(path))
  for (const path of switched) dropValue(values, path)
  // Its URL stands in webhooks' addresses, even without an ingress.
  if (isGiven(valueAt(values, 'ingress.webhooks.host'))) inFront.push(...dropGiven(values, ['ingress']))
  const beside = switched.filter((path) => !inFront.includes(path))
  const addresses = dropGiven(values, ['publicUrl', 'webhookUrl'])
  const reached = [...inFront, ...addresses, ...ownService({ values })]
  if (reached.length) aside(reached, 'called directly', 'The work of a balancer and of TLS is not measured')
  if (beside.length) aside(beside, leftOut, nothing)
  const peers = dropGiven(values, ['networkPolicy.from', 'networkPolicy.metricsFrom', 'networkPolicy.egress'])
  if (peers.length) aside(peers, 'open to the run', nothing)
  if (Array.isArray(values.extraObjects) && values.extraObjects.length)
    aside(values.extraObjects.map(named), leftOut, 'What n8n reads from them or has beside it is missing')
  dropValue(values, 'extraObjects')
  const marked = dropGiven(values, ['commonAnnotations', 'persistence.annotations'])
  if (isGiven(valueAt(values, 'serviceAccount.name')) || isGiven(valueAt(values, 'serviceAccount.annotations'))) {
    dropValue(values, 'serviceAccount')
    marked.push('serviceAccount')
  }
  if (marked.length) aside(marked, 'those of the run’s own namespace', nothing)
}

/** Types, annotations and fields with which a cloud would make a balancer. */
function ownService({ values }: Pick<IsolatedDraft, 'values'>): string[] {
  const isOpen = (path: string) =>
    isGiven(valueAt(values, `${path}.type`)) && valueAt(values, `${path}.type`) !== 'ClusterIP'
  return ['service', 'main.service', 'webhook.service'].flatMap((path) => {
    const opened = isOpen(path) && dropValue(values, `${path}.type`) ? [`${path}.type`] : []
    return [...opened, ...dropGiven(values, [`${path}.annotations`, `${path}.spec`])]
  })
}

/** An object may be text with a template. */
function named(object: unknown): string {
  if (!isMap(object)) return 'an extraObject'
  return `extraObjects ${String(object.kind)}`
}
