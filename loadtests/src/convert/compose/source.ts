import { isMap } from '../../lib/values.ts'
import { usage } from '../../lib/errors.ts'
import { shellWord } from '../../lib/shell.ts'
import type { Draft } from '../draft.ts'
import type { Key } from '../key.ts'
import { emptyFirst } from '../parts.ts'
import { dropped, type Rule } from '../rules.ts'
import type { Source } from '../source.ts'
import { convertService, imageOf, memoryOf, slotsOf, takeImage } from './service.ts'
import { claim, mainOf, composeServices, type ComposeService } from './services.ts'
import type { Values } from '../../model/experiment.ts'

const postgres =
  'Compose’s own stays behind: restore its dump in a PostgreSQL of the cluster, and name that. See docs/move.md.'
const elsewhere = 'It is a name in a network of Docker: write the one by which the cluster reaches it.'
const isOfDocker = (host: unknown) =>
  typeof host === 'string' && host !== '' && (!/[.:]/.test(host) || /\.docker\.internal$/.test(host))
const once = 'It runs one command of n8n, and ends: what it did is in the database.'
const stays =
  'It is another program, which stays with Compose. Workflows that call it by its name here need another address.'

/** Workers and processors before main, whose variables go before theirs; of several of a kind the largest last. */
const order: ComposeService['kind'][] = ['other', 'once', 'runner', 'worker', 'webhook', 'main']

/** `other`: why a program beside n8n is left out. */
export const convertServices =
  (other: string): Rule =>
  (key) => {
    const services = composeServices(key.all)
    const mains = services.filter(({ kind }) => kind === 'main')
    if (mains.length > 1)
      throw usage(
        'several-mains',
        `Expected one service that runs the editor of n8n, got ${mains.length}: `
          + `${mains.map(({ name }) => name).join(', ')}.`,
        `Convert one at a time, and leave the others out: --drop ${shellWord(`services.${mains.at(-1)!.name}`)}.`,
      )
    const before = (one: ComposeService, two: ComposeService) =>
      order.indexOf(one.kind) - order.indexOf(two.kind) || memoryOf(one) - memoryOf(two)
    for (const service of services.sort(before)) {
      const inside = key.at(service.name)
      if (service.kind === 'other' || service.kind === 'once') inside.drop(service.kind === 'once' ? once : other)
      else convertService(service, inside, services)
    }
    replicas(key, services)
    const main = mains[0]!
    takeImage(key.at(main.name).at('image'))
    for (const { name, kind, of } of services) {
      const image = key.at(name).at('image')
      if (kind === 'runner') takeRunner(key.at(name))
      else if (kind === 'worker' || kind === 'webhook')
        if (of.image === main.of.image) image.leadsTo('image.repository')
        else image.refuse(`Every role runs the image of ${main.name} here.`)
    }
  }

/** Several services of one role are as many replicas of it, and several kinds of workers as many executions at once. */
function replicas(key: Key, services: ComposeService[]): void {
  for (const role of ['worker', 'webhook', 'main'] as const) {
    const own = services.filter(({ kind }) => kind === role)
    const said = own.flatMap(({ name }) => {
      const service = key.at(name)
      return [service.at('deploy').at('replicas'), service.at('scale')].filter((count) => !count.isEmpty)
    })
    if (own.length === 0 || (role === 'main' && said.length === 0)) continue
    const pods = own.reduce((sum, service) => sum + podsOf(service), 0)
    key.draft.set(`${role}.replicas`, pods)
    for (const count of said) count.leadsTo(`${role}.replicas`)
    if (role === 'worker' && pods > 0) concurrency(key, own, pods)
  }
}

const podsOf = ({ of }: ComposeService) => Number((isMap(of.deploy) ? of.deploy.replicas : undefined) ?? of.scale ?? 1)

/** Workers of one kind each execute the same number at once: of several kinds the sum stays. */
function concurrency(key: Key, workers: ComposeService[], pods: number): void {
  const each = workers.map((worker) => ({ pods: podsOf(worker), slots: slotsOf(worker) }))
  if (new Set(each.map(({ slots }) => slots)).size < 2) return
  const all = each.reduce((sum, worker) => sum + worker.pods * worker.slots, 0)
  const slots = Math.ceil(all / pods)
  for (const { name } of workers) {
    const command = key.at(name).at('command')
    if (/--concurrency/.test(JSON.stringify(command.value ?? ''))) command.leadsTo('worker.concurrency')
  }
  const limit = 'worker.extraEnv.N8N_CONCURRENCY_PRODUCTION_LIMIT'
  if (key.draft.get(limit) !== undefined) key.draft.move(limit, 'worker.concurrency', slots)
  key.draft.set('worker.concurrency', slots)
  const kinds = each.map((worker) => `${worker.pods} × ${worker.slots}`).join(' and ')
  key.draft.change(
    'worker.concurrency',
    `Workers of ${kinds} executions become ${pods} × ${slots}: together ${all} at once. Each needs memory for its `
      + 'own: worker.resources is that of the largest.',
  )
}

/** The launcher’s container becomes a sidecar of each pod that executes. */
function takeRunner(service: Key): void {
  const image = service.at('image')
  image.draft.set('runner.mode', 'external')
  // `build` says what to do about an image that has no name.
  if (image.isEmpty) return
  const [, repository = '', tag = '', digest] = imageOf(image)
  if (repository.endsWith('n8nio/runners')) image.leadsTo('runner.mode')
  else image.set('runner.image', { repository, tag, ...(digest === undefined ? {} : { digest }) })
}

/** A compose.yaml, as n8n-io/n8n-hosting shows it. */
export const dockerCompose: Source = {
  called: 'Docker Compose',
  defaults: {},
  rules: {
    services: convertServices(stays),
    ...dropped('It names the project of Compose.', 'version', 'name'),
    ...dropped('Only Compose’s own containers are in them.', 'networks'),
    ...dropped('n8n’s folder is copied into a claim: docs/move.md.', 'volumes'),
    ...dropped('What n8n reads from them is copied with its secrets.', 'secrets', 'configs'),
  },
  inside: (all) => `docker compose exec -T ${nameOfMain(all)}`,
  claim: () => claim,
  finish: (draft, all) => {
    const services = composeServices(all)
    const names = services.flatMap(({ name, of }) => [name, of.container_name, of.hostname])
    const isHere = (host: unknown) => host !== undefined && names.includes(host)
    for (const path of ['database.host', 'redis.host'])
      if (isOfDocker(draft.get(path)) && !isHere(draft.get(path))) draft.todo(path, elsewhere)
    if (isHere(draft.get('database.host'))) draft.todo('database.host', postgres)
    if (isHere(draft.get('redis.host'))) {
      draft.remove('redis', emptyFirst)
      draft.secrets.delete('QUEUE_BULL_REDIS_PASSWORD')
      draft.change('redis', emptyFirst)
    }
    rolesThere(draft, services)
  },
}

/** Its name in a command: a stranger's file says it. */
export const nameOfMain = (all: Values): string => shellWord(mainOf(all)?.name ?? '')

/** In queue mode the chart has workers and processors, unless it is told that there are none. */
export function rolesThere(draft: Draft, services: ComposeService[]): void {
  if (draft.get('executions.mode') !== 'queue') return
  for (const role of ['webhook', 'worker'] as const)
    if (!services.some(({ kind }) => kind === role)) draft.set(`${role}.replicas`, 0)
}

/** A stack file of Docker Swarm, whose containers have names of Swarm’s own. */
export const swarm: Source = {
  ...dockerCompose,
  called: 'Docker Swarm',
  inside: (all, release) =>
    'docker exec $(docker ps --quiet --filter '
    + `${shellWord(`label=com.docker.swarm.service.name=${release}_${mainOf(all)?.name}`)} | head -n 1)`,
}
