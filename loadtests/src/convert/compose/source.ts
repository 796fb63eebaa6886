import { usage } from '../../lib/errors.ts'
import type { Key } from '../key.ts'
import { emptyFirst } from '../parts.ts'
import { dropped } from '../rules.ts'
import type { Source } from '../source.ts'
import { convertService, takeImage } from './service.ts'
import { claim, mainOf, servicesOf, type Service } from './services.ts'

const postgres =
  'Compose’s own stays behind: restore its dump in a PostgreSQL of the cluster, and name that. See docs/move.md.'
const once = 'It runs one command of n8n, and ends: what it did is in the database.'
const other =
  'It is another program, which stays with Compose. Workflows that call it by its name here need another address.'

/** Workers and processors before main, whose variables go before theirs. */
const order: Service['kind'][] = ['other', 'once', 'runner', 'worker', 'webhook', 'main']

function convertServices(key: Key): void {
  const services = servicesOf(key.all)
  const mains = services.filter(({ kind }) => kind === 'main')
  if (mains.length > 1)
    throw usage(
      'several-mains',
      `Expected one service that runs the editor of n8n, got ${mains.length}: `
        + `${mains.map(({ name }) => name).join(', ')}.`,
      `Convert one at a time, and leave the others out: --drop services.${mains.at(-1)!.name}.`,
    )
  for (const service of services.sort((one, two) => order.indexOf(one.kind) - order.indexOf(two.kind))) {
    const inside = key.at(service.name)
    if (service.kind === 'other' || service.kind === 'once') inside.drop(service.kind === 'once' ? once : other)
    else convertService(service, inside)
  }
  replicas(key, services)
  const main = mains[0]!
  takeImage(key.at(main.name).at('image'))
  for (const { name, kind, of } of services) {
    const image = key.at(name).at('image')
    if (kind === 'runner') takeRunner(image)
    else if (kind === 'worker' || kind === 'webhook')
      if (of.image === main.of.image) image.leadsTo('image.repository')
      else image.refuse(`Every role runs the image of ${main.name} here.`)
  }
}

/** Several services of one role are as many replicas of it. */
function replicas(key: Key, services: Service[]): void {
  for (const role of ['worker', 'webhook', 'main'] as const) {
    const own = services.filter(({ kind }) => kind === role).map(({ name }) => key.at(name))
    const said = own.flatMap((service) => [service.at('deploy').at('replicas'), service.at('scale')])
    const isSaid = said.some((count) => !count.isEmpty)
    if (own.length === 0 || (role === 'main' && !isSaid)) continue
    const of = (service: Key) => Number(service.at('deploy').at('replicas').value ?? service.at('scale').value ?? 1)
    key.draft.set(
      `${role}.replicas`,
      own.reduce((sum, service) => sum + of(service), 0),
    )
    for (const count of said) if (!count.isEmpty) count.leadsTo(`${role}.replicas`)
  }
}

/** The launcher’s container becomes a sidecar of each pod that executes. */
function takeRunner(image: Key): void {
  const repository = String(image.value)
    .replace(/@.*/, '')
    .replace(/:[^:/]*$/, '')
  image.draft.set('runner.mode', 'external')
  if (repository.endsWith('n8nio/runners')) image.leadsTo('runner.mode')
  else image.set('runner.image', { repository, tag: /:([^:/]+)$/.exec(String(image.value))?.[1] ?? '' })
}

/** A compose.yaml, as n8n-io/n8n-hosting shows it. */
export const compose: Source = {
  called: 'Docker Compose',
  defaults: {},
  rules: {
    services: convertServices,
    ...dropped('It names the project of Compose.', 'version', 'name'),
    ...dropped('Only Compose’s own containers are in them.', 'networks'),
    ...dropped('n8n’s folder is copied into a claim: docs/move.md.', 'volumes'),
    ...dropped('What n8n reads from them is copied with its secrets.', 'secrets', 'configs'),
  },
  inside: (all) => `docker compose exec -T ${mainOf(all)?.name}`,
  claim: () => claim,
  finish: (draft, all) => {
    const services = servicesOf(all)
    const names = services.flatMap(({ name, of }) => [name, of.container_name, of.hostname])
    const isHere = (host: unknown) => host !== undefined && names.includes(host)
    if (isHere(draft.get('database.host'))) draft.todo('database.host', postgres)
    if (isHere(draft.get('redis.host'))) {
      draft.remove('redis', emptyFirst)
      draft.secrets.delete('QUEUE_BULL_REDIS_PASSWORD')
      draft.change('redis', emptyFirst)
    }
    const queueMode = draft.get('executions.mode') === 'queue'
    if (queueMode && !services.some(({ kind }) => kind === 'webhook')) draft.set('webhook.replicas', 0)
  },
}
