import { parseQuantity } from '../support/quantity.ts'
import { isEmpty, isMap } from './draft.ts'
import { on, same, to, under, type Rule, type Rules } from './rules.ts'
import type { Role } from './variables.ts'

/** Rules for values that several charts share. */

type Sized = 'main' | 'worker' | 'webhook' | 'runner'
type Amount = string | number
interface Resources {
  requests?: Record<string, Amount>
  limits?: Record<string, Amount>
}

/** The chart's default requests and limits, and the least memory that leaves n8n 2 a heap. */
const own: Record<Sized, { cpu: [string, string]; memory: [string, string]; least: string }> = {
  main: { cpu: ['250m', '1'], memory: ['1Gi', '1Gi'], least: '640Mi' },
  worker: { cpu: ['250m', '1'], memory: ['1Gi', '1Gi'], least: '640Mi' },
  webhook: { cpu: ['250m', '1'], memory: ['768Mi', '768Mi'], least: '512Mi' },
  runner: { cpu: ['100m', '1'], memory: ['512Mi', '512Mi'], least: '512Mi' },
}

/** Their resources, completed with our defaults. */
export const resources =
  (part: Sized): Rule =>
  (value, draft, _all, path) => {
    if (isEmpty(value)) return
    const { requests = {}, limits = {} } = structuredClone(value) as Resources
    for (const name of ['cpu', 'memory'] as const) {
      const [request, limit] = own[part][name]
      if (isMore(requests[name], limits[name] ?? limit)) limits[name] = requests[name]!
      if (isMore(requests[name] ?? request, limits[name])) requests[name] = limits[name]!
    }
    if (isMore(own[part].least, limits.memory)) {
      const text = `Memory is ${own[part].memory[1]}, not ${limits.memory}: n8n has no room for a heap in that.`
      draft.note('changed', path, text)
      delete limits.memory
      delete requests.memory
    }
    to(`${part}.resources.requests`)(requests, draft, {}, path)
    to(`${part}.resources.limits`)(limits, draft, {}, path)
  }

function isMore(one: Amount | undefined, other: Amount | undefined): boolean {
  return one !== undefined && other !== undefined && parseQuantity(one) > parseQuantity(other)
}

/** `[{ host, paths }]`: the first host is the one in n8n’s URLs. */
const hosts: Rule = (value, draft, _all, path) => {
  const given = (Array.isArray(value) ? value : []) as { host: string; paths?: unknown[] }[]
  const [first, ...others] = given.map(({ host }) => host)
  draft.set('ingress.host', first ?? '')
  if (others.length > 0) draft.set('ingress.extraHosts', others)
  const paths = given.flatMap((host) => host.paths ?? []).map((entry) => String(isMap(entry) ? entry.path : entry))
  if (paths.every((entry) => entry === '/')) return
  draft.note('left', path, 'The ingress serves the whole host: for n8n below a path set N8N_PATH in role.extraEnv.')
}

/** `[{ secretName, hosts }]` */
const tls: Rule = (value, draft, _all, path) => {
  const secrets = (Array.isArray(value) ? value : []).map(({ secretName }) => String(secretName ?? ''))
  if (secrets.length === 0) return
  draft.set('ingress.tls', { enabled: true, secretName: secrets[0] })
  if (new Set(secrets).size > 1) draft.note('left', path, 'One Secret has the certificate of every host here.')
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
  (value, draft, _all, path) => {
    if (!isMap(value)) return
    draft.set(`${role}.autoscaling.by`, by)
    to(`${role}.autoscaling.min`)(value[min], draft, {}, path)
    to(`${role}.autoscaling.max`)(value[max], draft, {}, path)
    const cpu = `It scales on ${role}.autoscaling.cpu, 700m a pod, and not on a share of what is requested.`
    const queue = 'It scales on (waiting + active executions) ÷ worker.concurrency, and needs no trigger.'
    draft.note('changed', path, by === 'cpu' ? cpu : queue)
  }

const renamed = 'The account has another name now: where a cloud role trusts it by name, name it there.'

/** Additional objects in their values: Helm assigns an object to one release only. */
export const foreign =
  'These objects are the old release’s. Once it is forgotten take them over with extraObjects, or keep them apart.'

/** The service account of their chart keeps its name. */
export const account: Rules = {
  'serviceAccount.create': (value, draft) => {
    if (value === false) draft.set('serviceAccount.create', false)
  },
  'serviceAccount.name': (value, draft, all, path) => {
    if (draft.get('serviceAccount.create') === false) to('serviceAccount.name')(value, draft, all, path)
  },
  'serviceAccount.annotations': (value, draft, all, path) => {
    to('serviceAccount.annotations')(value, draft, all, path)
    if (!isEmpty(value)) draft.note('left', path, renamed)
  },
}

/** A longer grace period than ours also gives executions that much time to end. */
export const grace =
  (role: 'main' | 'worker' | 'webhook'): Rule =>
  (value, draft) => {
    const seconds = Number(value)
    if (seconds <= (role === 'worker' ? 150 : 45)) return
    draft.set(`${role}.shutdown`, { gracefulSeconds: seconds - 15, gracePeriodSeconds: seconds })
  }
