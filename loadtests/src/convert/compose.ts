import type { Values } from '../profile/experiment.ts'
import { nameValue } from '../support/name-value.ts'
import { isMap, type Draft } from './draft.ts'
import { resources } from './parts.ts'
import { ignored, variables } from './rules.ts'
import type { Source } from './source.ts'

/** The claim for n8n’s folder that docs/move-folder.yaml makes. */
const claim = 'n8n-data'
const folder = /^\/home\/node\/\.n8n\/?$/

type Kind = 'main' | 'worker' | 'webhook'
interface Service {
  name: string
  kind: Kind
  words: string[]
  of: Values
}

const services = (all: Values) => Object.entries((isMap(all.services) ? all.services : {}) as Record<string, Values>)

/** The services that run n8n, by their commands. The runners use another image. */
function n8nServices(all: Values): Service[] {
  const ofN8n = services(all).filter(([, { image }]) => /(^|\/)n8n(:|@|$)/.test(String(image ?? '')))
  return ofN8n.map(([name, of]) => {
    const words = [of.command ?? []].flat().join(' ').split(/\s+/)
    return { name, words, of, kind: (['worker', 'webhook'] as const).find((kind) => words.includes(kind)) ?? 'main' }
  })
}

const mainOf = (all: Values) => n8nServices(all).find(({ kind }) => kind === 'main')
export const runsN8n = (all: Values): boolean => mainOf(all) !== undefined

/** Keys of a service that need no value of ours. */
const understood = new Set(
  (
    'image command environment deploy scale mem_limit cpus volumes restart ports expose depends_on links labels '
    + ('networks container_name hostname healthcheck user entrypoint profiles platform logging '
      + 'stop_grace_period init tty')
  ).split(' '),
)

const byHand: Record<string, string> = {
  env_file: 'Give these variables too, under environment, and convert again: docker compose config prints them there.',
  build: 'Push the image to a registry, and name it in image.repository.',
}

function convertService({ name, kind, words, of }: Service, draft: Draft, all: Values): void {
  const path = `services.${name}`
  variables(kind === 'main' ? 'role' : kind)(namesOf(of.environment), draft, all, `${path}.environment`)
  const deploy = isMap(of.deploy) ? of.deploy : {}
  const asked = isMap(deploy.resources) ? deploy.resources : { limits: { cpus: of.cpus, memory: of.mem_limit } }
  const amounts = { limits: inKubernetes(asked.limits), requests: inKubernetes(asked.reservations) }
  resources(kind)(amounts, draft, all, `${path}.deploy.resources`)
  const replicas = deploy.replicas ?? of.scale
  if (replicas !== undefined) draft.set(`${kind}.replicas`, Number(replicas))
  const concurrency = /--concurrency[= ](\d+)/.exec(words.join(' '))?.[1]
  if (concurrency && kind === 'worker') draft.set('worker.concurrency', Number(concurrency))
  mounts(of.volumes, draft, path)
  for (const key of Object.keys(of).filter((other) => !understood.has(other))) {
    draft.note('left', `${path}.${key}`, byHand[key] ?? `No value of n8n-tuned says ${key}.`)
  }
}

/** The map that `[NAME=text]` may be written as. */
function namesOf(environment: unknown): unknown {
  if (!Array.isArray(environment)) return environment
  return Object.fromEntries(environment.map((entry) => nameValue(String(entry))))
}

/** `{ cpus: 2, memory: 2gb }` in Kubernetes’ words. */
function inKubernetes(amounts: unknown): Values {
  const { cpus, memory } = isMap(amounts) ? amounts : {}
  const bytes = String(memory ?? '')
    .replace(/b$/i, '')
    .replace(/[kmg]$/i, (unit) => `${unit.toUpperCase()}i`)
  return { ...(cpus ? { cpu: String(cpus) } : {}), ...(bytes ? { memory: bytes } : {}) }
}

function mounts(volumes: unknown, draft: Draft, path: string): void {
  for (const mount of Array.isArray(volumes) ? volumes : []) {
    const [from, target = ''] = isMap(mount) ? [String(mount.source), String(mount.target)] : String(mount).split(':')
    if (folder.test(target)) continue
    const text = `${from} at ${target}: mount a claim or a ConfigMap there, with role.extraVolumes.`
    draft.note('left', `${path}.volumes`, text)
  }
}

const postgres =
  'Compose’s own stays behind: restore its dump in a PostgreSQL of the cluster, and name that. See docs/move.md.'
const emptyFirst = 'The queue is in a Redis of this chart: let the old queue run empty first.'

/** A compose.yaml, as n8n-io/n8n-hosting shows it. */
export const compose: Source = {
  called: 'Docker Compose',
  defaults: {},
  rules: {
    services: (_value, draft, all) => {
      for (const service of n8nServices(all)) convertService(service, draft, all)
      const [, repository = '', tag] = /^(.*?)(?::([^:/@]+))?(?:@.*)?$/.exec(String(mainOf(all)?.of.image)) ?? []
      draft.set('image', { repository, ...(tag === undefined ? {} : { tag }) })
    },
    ...ignored('version', 'name', 'volumes', 'networks', 'secrets', 'configs'),
  },
  inside: (all) => `docker compose exec -T ${mainOf(all)?.name}`,
  claim: () => claim,
  finish: (draft, all) => {
    const names = services(all).map(([name]) => name)
    if (names.includes(String(draft.get('database.host')))) draft.note('left', 'database.host', postgres)
    if (draft.get('executions.mode') !== 'queue') return
    if (!n8nServices(all).some(({ kind }) => kind === 'webhook')) draft.set('webhook.replicas', 0)
    if (!names.includes(String(draft.get('redis.host')))) return
    delete draft.values.redis
    draft.note('changed', 'redis', emptyFirst)
  },
}
