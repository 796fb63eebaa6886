import { at, drop, dropGiven, isGiven, isMap, leftOut, nothing, type Draft } from './draft.ts'

/** What would bring callers, scrapers or others of production to the measured n8n, or stands beside it. */
export function noSurroundings({ values, aside }: Draft): void {
  const switched = [
    ...['ingress', 'gateway', 'backup', 'loadtest.k6', 'loadtest.nightly'],
    ...['podMonitor', 'rules', 'dashboard'].map((name) => `monitoring.${name}`),
  ].filter((path) => isGiven(at(values, `${path}.enabled`)))
  const inFront = switched.filter((path) => ['ingress', 'gateway'].includes(path))
  for (const path of switched) drop(values, path)
  // Its URL stands in webhooks' addresses, even without an ingress.
  if (isGiven(at(values, 'ingress.webhooks.host'))) inFront.push(...dropGiven(values, ['ingress']))
  const beside = switched.filter((path) => !inFront.includes(path))
  const addresses = dropGiven(values, ['publicUrl', 'webhookUrl'])
  const reached = [...inFront, ...addresses, ...ownService({ values })]
  if (reached.length) aside(reached, 'called directly', 'The work of a balancer and of TLS is not measured')
  if (beside.length) aside(beside, leftOut, nothing)
  const peers = dropGiven(values, ['networkPolicy.from', 'networkPolicy.metricsFrom', 'networkPolicy.egress'])
  if (peers.length) aside(peers, 'open to the run', nothing)
  if (Array.isArray(values.extraObjects) && values.extraObjects.length)
    aside(values.extraObjects.map(named), leftOut, 'What n8n reads from them or has beside it is missing')
  drop(values, 'extraObjects')
  const marked = dropGiven(values, ['commonAnnotations', 'persistence.annotations'])
  if (isGiven(at(values, 'serviceAccount.name')) || isGiven(at(values, 'serviceAccount.annotations'))) {
    drop(values, 'serviceAccount')
    marked.push('serviceAccount')
  }
  if (marked.length) aside(marked, 'those of the run’s own namespace', nothing)
}

/** Types, annotations and fields with which a cloud would make a balancer. */
function ownService({ values }: Pick<Draft, 'values'>): string[] {
  const isOpen = (path: string) => isGiven(at(values, `${path}.type`)) && at(values, `${path}.type`) !== 'ClusterIP'
  return ['service', 'main.service', 'webhook.service'].flatMap((path) => {
    const opened = isOpen(path) && drop(values, `${path}.type`) ? [`${path}.type`] : []
    return [...opened, ...dropGiven(values, [`${path}.annotations`, `${path}.spec`])]
  })
}

/** An object may be text with a template. */
function named(object: unknown): string {
  if (!isMap(object)) return 'an extraObject'
  return `extraObjects ${String(object.kind)}`
}
