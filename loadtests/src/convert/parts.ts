import { isMap } from '../lib/values.ts'
import { parseQuantity } from '../lib/quantity.ts'
import type { Key } from './key.ts'
import { byHand, dropped, on, same, to, under, when, type ValuesCondition, type Rule, type Rules } from './rules.ts'
import { isEmpty, isText } from './values.ts'
import type { Role } from './variables.ts'

/** Rules for values that several charts share. */

type Sized = 'main' | 'worker' | 'webhook' | 'runner'
type Amount = string | number

/** The chart's default memory, and the least that leaves n8n 2 a heap. */
const memory: Record<Sized, { own: string; least: string }> = {
  main: { own: '1Gi', least: '640Mi' },
  worker: { own: '1Gi', least: '640Mi' },
  webhook: { own: '768Mi', least: '512Mi' },
  runner: { own: '512Mi', least: '512Mi' },
}

const noLimit = 'It had no limit. n8n needs one here, since its heap follows from it'

/** `requests` and `limits` as Kubernetes has them. */
export const resources =
  (part: Sized): Rule =>
  (key) => {
    if (key.isEmpty) return
    const [requests, limits] = [key.at('requests'), key.at('limits')]
    cpu(part, requests.at('cpu'), limits.at('cpu'))
    inMemory(part, requests.at('memory'), limits.at('memory'))
    for (const amounts of [requests, limits])
      for (const amount of amounts.each().filter(({ name }) => name !== 'cpu' && name !== 'memory'))
        amount.set(`${part}.resources.${amounts.name}.${amount.name}`)
    for (const other of key.each().filter(({ name }) => name !== 'requests' && name !== 'limits'))
      other.refuse('Resources are requests and limits here.')
  }

/** What has no limit gets none here. What has no request gets its limit, as in Kubernetes. */
export function cpu(part: Sized, request: Key, limit: Key): void {
  const { draft } = request
  if (!limit.isEmpty) limit.set(`${part}.resources.limits.cpu`, text(limit))
  else if (!request.isEmpty) draft.set(`${part}.resources.limits.cpu`, null)
  if (!request.isEmpty) request.set(`${part}.resources.requests.cpu`, text(request))
  else if (!limit.isEmpty) draft.set(`${part}.resources.requests.cpu`, text(limit))
}

/** The same for memory, which needs a limit here. */
export function inMemory(part: Sized, request: Key, limit: Key): void {
  if (request.isEmpty && limit.isEmpty) return
  const { own, least } = memory[part]
  const path = `${part}.resources`
  if (limit.isEmpty) {
    const enough = isMore(own, request.value) ? own : text(request)
    request.draft.set(`${path}.limits.memory`, enough)
    request.set(`${path}.requests.memory`, text(request))
    return request.change(`${noLimit}: ${path}.limits.memory is ${enough}.`)
  }
  if (isMore(least, limit.value)) {
    const why = `Memory is ${own}, not ${text(limit)}: n8n has no room for a heap in that.`
    for (const amount of [limit, request]) if (!amount.isEmpty) amount.drop(why)
    return limit.change(why)
  }
  limit.set(`${path}.limits.memory`, text(limit))
  if (request.isEmpty) limit.draft.set(`${path}.requests.memory`, text(limit))
  else request.set(`${path}.requests.memory`, text(request))
}

const text = ({ value }: Key): Amount => (typeof value === 'number' ? value : String(value))

function isMore(one: unknown, other: unknown): boolean {
  return isText(one) && isText(other) && parseQuantity(String(one)) > parseQuantity(String(other))
}

const underPath = 'The ingress serves the whole host: for n8n below a path set N8N_PATH in role.extraEnv.'

/** `[{ host, paths }]`: the first host is the one in n8n’s URLs. */
const hosts: Rule = (key) => {
  const [first, ...others] = key.each()
  first?.at('host').set('ingress.host')
  for (const other of others) other.at('host').add('ingress.extraHosts', other.at('host').value)
  for (const path of key.each().flatMap((host) => host.at('paths').each())) {
    const said = String(isMap(path.value) ? path.value.path : path.value)
    if (said === '/' || said === '') path.drop('The ingress serves the whole host.')
    else path.refuse(underPath)
  }
  for (const rest of key.each().flatMap((host) => host.each()))
    if (rest.name !== 'host' && rest.name !== 'paths') rest.refuse('A host of ingress.hosts has a host and paths.')
}

/** `[{ secretName, hosts }]` */
const tls: Rule = (key) => {
  const [first, ...others] = key.each()
  if (!first) return
  key.draft.set('ingress.tls.enabled', true)
  for (const part of first.each()) {
    if (part.name === 'secretName') part.set('ingress.tls.secretName', String(part.value ?? ''))
    else part.drop('The certificate is that of every host of the ingress.')
  }
  for (const other of others) {
    const isSame = other.at('secretName').value === first.at('secretName').value
    if (isSame) other.drop('The certificate is that of every host of the ingress.')
    else other.refuse('One Secret has the certificate of every host here.')
  }
}

export const ingress: Rules = {
  ...same('ingress.enabled'),
  ...under(
    'ingress',
    { className: to('ingress.className'), annotations: to('ingress.annotations'), hosts, tls },
    on('ingress.enabled'),
  ),
}

export const placement = (prefix: string, role: Role): Rules => ({
  [`${prefix}nodeSelector`]: to(`${role}.nodeSelector`),
  [`${prefix}tolerations`]: to(`${role}.tolerations`),
  [`${prefix}affinity`]: to(`${role}.affinity`),
})

/** A map with the fewest and the most pods, under that chart's names for them. */
export const autoscaling =
  (role: 'main' | 'worker' | 'webhook', min: string, max: string, by: 'cpu' | 'queue' = 'cpu'): Rule =>
  (key) => {
    const cpu = `It scales on ${role}.autoscaling.cpu, 700m a pod, and not on a share of what is requested.`
    const queue = 'It scales on (waiting + active executions) ÷ worker.concurrency, and needs no trigger.'
    key.draft.set(`${role}.autoscaling.by`, by)
    key.change(by === 'cpu' ? cpu : queue)
    for (const part of key.each()) {
      if (part.name === min) part.set(`${role}.autoscaling.min`)
      else if (part.name === max) part.set(`${role}.autoscaling.max`)
      else if (part.name === 'enabled') part.set(`${role}.autoscaling.by`, by)
      else if (part.name === 'cooldownPeriod') part.set(`${role}.autoscaling.scaleDownSeconds`)
      else part.drop(by === 'cpu' ? cpu : queue)
    }
  }

const renamed = 'The account has another name now: where a cloud role trusts it by name, name it there.'

/** Additional objects in their values: Helm assigns an object to one release only. */
export const foreign =
  'These objects are the old release’s. Once it is forgotten take them over with extraObjects, or keep them apart.'

/** The account’s annotations, whose cloud role may trust the account by its name. */
export const accountAnnotations: Rule = (key) => {
  if (key.isEmpty) return
  key.set('serviceAccount.annotations')
  key.draft.todo(key.path, renamed)
}

/** The service account of their chart keeps its name. */
export const serviceAccount: Rules = {
  'serviceAccount.create': (key) => {
    if (key.value === false) key.set('serviceAccount.create', false)
    else key.drop('The chart creates one too.')
  },
  'serviceAccount.name': (key) => {
    if (key.isEmpty) return
    if (key.draft.get('serviceAccount.create') === false) key.set('serviceAccount.name')
    else key.drop('It belongs to the old release, so the new account is named by the new one.')
  },
  'serviceAccount.annotations': accountAnnotations,
  ...dropped('n8n does not call the Kubernetes API, so no pod gets a token.', 'serviceAccount.automount'),
}

/** Their images of pods come from the same places. */
export const pullSecrets: Rules = { imagePullSecrets: to('image.pullSecrets') }

export const dns = {
  dnsPolicy: byHand('Pods keep the cluster’s DNS policy; role.dnsConfig adds to it.'),
  dnsConfig: to('role.dnsConfig'),
}

export const probes = 'The chart’s own probes know when n8n is ready; role.probes changes their times.'
export const ownNames =
  'The objects of this chart have names of their own; convert needs theirs only to find what they made.'

/** A longer grace period than ours also gives executions that much time to end. */
export const grace =
  (role: 'main' | 'worker' | 'webhook'): Rule =>
  (key) => {
    const seconds = Number(key.value)
    if (isEmpty(key.value) || seconds <= (role === 'worker' ? 150 : 45))
      return key.drop('Pods get at least that time here too.')
    key.set(`${role}.shutdown`, { gracefulSeconds: seconds - 15, gracePeriodSeconds: seconds })
  }

/** A Redis that their release brings, in place of which the chart has one. */
export const dropBundledRedis: Rule = (key) => {
  key.drop('A Redis of this chart takes the place of the one that they bring.')
  if (key.name === 'enabled' && key.value === true) key.change(emptyFirst)
}
export const emptyFirst = 'The queue is in a Redis of this chart: let the old queue run empty first.'

/** Keys of the claim of n8n’s folder, which is used as it is. */
export const claimKeys = (prefix: string, used: ValuesCondition, ...others: string[]): Rules => ({
  [`${prefix}.enabled`]: when(used, (key) => key.leadsTo('persistence.existingClaim')),
  [`${prefix}.existingClaim`]: when(used, (key) => {
    if (!key.isEmpty) key.leadsTo('persistence.existingClaim')
  }),
  ...dropped('The claim is there already, and is used as it is.', ...others.map((name) => `${prefix}.${name}`)),
})

/** Their ingresses send more than webhooks to the processors. */
export const formRoutes =
  'Their ingress sent forms and MCP to the webhook processors too. docs/chart.md says which role answers them here.'

/** What a chart that contains theirs says beside their values. */
export const umbrella: Rules = {
  ...dropped('It is of the chart around n8n’s, which reads it itself.', 'enabled', 'global'),
  ...dropped('Helm takes the namespace from its command.', 'namespace'),
}
