import { byName } from '../../lib/json.ts'
import { isMap, valueAt } from '../../lib/values.ts'
import { nameValue } from '../../lib/name-value.ts'
import type { Key } from '../key.ts'
import { cpu, inMemory } from '../parts.ts'
import { takeVariable, type Role } from '../variables.ts'
import { parseQuantity } from '../../lib/quantity.ts'
import { isEmpty, isText } from '../values.ts'
import type { Values } from '../../model/experiment.ts'
import { commandOf, mountOf, variablesIn, type ComposeService } from './services.ts'

type Running = Exclude<ComposeService['kind'], 'once' | 'other'>

/** One service that runs n8n, or its runners. */
export function convertService(self: ComposeService, service: Key, services: ComposeService[]): void {
  const { kind, of } = self
  const part = kind as Running
  // Alone it is every role; beside others, what all of them have is written once, in the end.
  const alone = !services.some(({ kind }) => kind === 'worker' || kind === 'webhook')
  const role = part === 'main' && alone ? 'role' : part
  const others = byName((service.draft.get(`${role}.extraEnv`) ?? {}) as Values)
  for (const file of service.at('env_file').each()) takeEnvironment(file, self, role, others)
  takeEnvironment(service.at('environment'), self, role, others)
  for (const from of service.at('envFrom').each()) takeEnvFrom(from, role)
  takeCommand(part, commandOf(of), service)
  takeAmounts(part, service)
  for (const mount of service.at('volumes').each()) takeMount(self, role, mount, services)
  for (const label of service.at('labels').each()) takeLabel(label)
  for (const label of service.at('deploy').at('labels').each()) takeLabel(label)
  for (const host of service.at('extra_hosts').each()) takeHost(role, host)
  takeGrace(part, service.at('stop_grace_period'))
  for (const key of service.each()) reasonFor(key, part)?.(key)
}

/** Of Kubernetes: the names in it are not known here. */
function takeEnvFrom(from: Key, role: Role): void {
  from.add(`${role}.extraEnvFrom`, from.value)
  from.draft.todo(
    `${role}.extraEnvFrom`,
    'If it says the database, Redis, the address or n8n’s key, say that in the chart’s own values, too.',
  )
}

/** `others` is what another service of that role has. */
function takeEnvironment(environment: Key, self: ComposeService, role: Role, others: Values): void {
  for (const entry of environment.each()) {
    const [name, text] = Array.isArray(environment.value)
      ? nameValue(String(entry.value))
      : [entry.name, entry.value === null ? '' : entry.value]
    const value = typeof text === 'string' ? unquoted(text) : text
    const other = others[name]
    if (name === userFolder && mounts(self.of, String(value))) entry.drop('n8n’s folder is the volume of persistence.')
    else if (other !== undefined && !isMap(other) && String(other) !== String(value) && name !== limit)
      entry.refuse(`Every ${role} has the same variables here, and another one says otherwise.`)
    else takeVariable({ name, value, role, key: entry.as(value) }, entry.draft)
  }
}

const userFolder = 'N8N_USER_FOLDER'
const limit = 'N8N_CONCURRENCY_PRODUCTION_LIMIT'

/** Quotes after `=` belong to the text in Compose, which nobody means. */
const unquoted = (text: string) => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text

const asImage = 'The chart starts n8n as its image does: put what this adds into an image of yours.'

function takeCommand(part: Running, words: string, service: Key): void {
  const known = /^(tini|--|\/docker-entrypoint\.sh|n8n|start|worker|webhook|--concurrency(=?\d*)|\d+)$/
  const concurrency = /--concurrency[= ](\d+)/.exec(words)?.[1]
  const command = service.at('command')
  if (concurrency && part === 'worker') command.set('worker.concurrency', Number(concurrency))
  for (const key of [service.at('entrypoint'), command]) {
    if (
      words
        .split(/\s+/)
        .filter(Boolean)
        .every((word) => known.test(word))
    )
      key.drop('The chart starts each role.')
    else if (!key.isEmpty) key.refuse(asImage)
  }
}

function takeAmounts(part: Running, service: Key): void {
  const { limits, reservations } = atAll(service.at('deploy').at('resources'), 'limits', 'reservations')
  const inLimits = atAll(limits, 'cpus', 'memory')
  const inReservations = atAll(reservations, 'cpus', 'memory')
  cpu(part, asText(inReservations.cpus), asText(pick(inLimits.cpus, service.at('cpus'))))
  inMemory(
    part,
    asBytes(pick(inReservations.memory, service.at('mem_reservation'))),
    asBytes(pick(inLimits.memory, service.at('mem_limit'))),
  )
}

/** The limit of its memory, in bytes. */
export function memoryOf({ of }: ComposeService): number {
  const limit = valueAt(of, 'deploy.resources.limits.memory') ?? of.mem_limit
  return isText(limit) ? parseQuantity(kubernetes(String(limit))) : 0
}

const atAll = <Name extends string>(key: Key, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, key.at(name)])) as Record<Name, Key>
const pick = (one: Key, other: Key) => (one.isEmpty ? other : one)
const asText = (key: Key) => (key.isEmpty ? key : key.as(String(key.value)))

/** `2gb` in Kubernetes’ words: `2Gi`. */
function asBytes(key: Key): Key {
  if (key.isEmpty) return key
  return key.as(kubernetes(String(key.value)))
}

const kubernetes = (bytes: string) => bytes.replace(/b$/i, '').replace(/[kmg]$/i, (unit) => `${unit.toUpperCase()}i`)

const folder = /^(\/home\/node|\/root)\/\.n8n\/?$/

function takeMount({ name: of, of: self }: ComposeService, role: Role, mount: Key, services: ComposeService[]): void {
  const { from, target, readOnly } = mountOf(mount.value)
  const isOwn = target === String(variablesIn(self.environment).get(userFolder))
  if (isOwn || folder.test(target) || /^\/home\/node\/?$/.test(target)) {
    if (role === 'main' || role === 'role') {
      mount.leadsTo('persistence.existingClaim')
      if (isOwn) mount.draft.todo('persistence', `n8n’s folder is ${of}:${target}/.n8n: copy that one.`)
    } else mount.drop('Only main needs n8n’s folder: the others keep nothing in it.')
  } else if (/^\/etc\/(localtime|timezone)$/.test(target)) mount.drop('timezone says it.')
  else if (/\.sock$/.test(target))
    mount.refuse('A pod does not reach the Docker of its node. Let n8n call a service instead.')
  else if (from === 'tmpfs' || from === '')
    mount.drop('Its files go with the container: /tmp is a volume of its own here.')
  else if (/\.\w{1,5}$/.test(target)) mount.refuse(asFile(role))
  else if (role === 'runner') mount.refuse('Put what runners read into an image of yours, runner.image.')
  else {
    const name = from
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(-40)
    const claimName = name.startsWith('n8n') ? name : `n8n-${name || 'files'}`
    mount.add(`${role}.extraVolumes`, { name: claimName, persistentVolumeClaim: { claimName } })
    mount.add(`${role}.extraVolumeMounts`, { name: claimName, mountPath: target, ...(readOnly ? { readOnly } : {}) })
    const shared =
      services.filter(({ kind, of }) => kind !== 'other' && kind !== 'once' && mounts(of, target)).length > 1
    const modes = shared ? ' (ReadWriteMany, since several pods have it)' : ''
    const text = `Make the claim ${claimName}${modes}, and copy ${from} into it, as n8n’s folder: docs/move.md.`
    if (!mount.draft.todos.some((todo) => todo.text === text)) mount.draft.todo('role.extraVolumes', text)
  }
}

const mounts = (of: Values, target: string) =>
  Array.isArray(of.volumes) && of.volumes.some((mount) => mountOf(mount).target === target)

const asFile = (role: Role) =>
  role === 'runner'
    ? 'Put the launcher’s file into an image of yours, runner.image.'
    : 'Make a ConfigMap or a Secret of the file, and mount it there with role.extraVolumes.'

const routed =
  'The proxy of Compose read these labels. Here ingress or gateway says host, TLS and path. Passwords and allowed '
  + 'addresses are annotations of your controller.'

function takeLabel(label: Key): void {
  const [name, text] =
    typeof label.name === 'string' && !/^\d+$/.test(label.name)
      ? [label.name, String(label.value)]
      : nameValue(String(label.value))
  if (!/^(traefik|caddy|haproxy|nginx)/.test(name)) return label.drop('A label for other programs around Docker.')
  label.refuse(routed)
  const host = /Host\([`'"]([^`'"]+)/.exec(String(text))?.[1] ?? (name === 'caddy' ? String(text) : undefined)
  const { address } = label.draft
  if (!host || address.host) return
  address.host = label.as(host)
  address.protocol ??= label.as('https')
}

/** `name:ip`, `name=ip`, or a map. */
function takeHost(role: Role, host: Key): void {
  const parts = /^([^:=]+)[:=](.+)$/.exec(String(host.value))
  const [name, ip] = parts && /^\d+$/.test(host.name) ? [parts[1]!, parts[2]!] : [host.name, String(host.value)]
  if (/^[\d.]+$|:/.test(ip)) host.add(`${role}.hostAliases`, { ip, hostnames: [name] })
  else host.refuse(`${name} is the machine of Compose: name it as the cluster reaches it.`)
}

function takeGrace(part: Running, grace: Key): void {
  if (grace.isEmpty || part === 'runner') return
  const all = secondsOf(String(grace.value))
  if (all === undefined) {
    grace.refuse(`Write it as Compose reads it, such as 5m or 300s, or set ${part}.shutdown.`)
    return
  }
  if (all > (part === 'worker' ? 150 : 45))
    grace.set(`${part}.shutdown`, { gracefulSeconds: all - 15, gracePeriodSeconds: all })
  else grace.drop('Pods get at least that time here too.')
}

const unitSeconds: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 }

/** Whole seconds, no fewer, of a duration as Go writes it, such as 5m0.5s; a bare number is seconds. */
function secondsOf(duration: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(duration)) return Math.ceil(Number(duration))
  if (!/^(\d+(\.\d+)?(h|ms|m|s|us|µs|ns))+$/.test(duration)) return undefined
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)([a-zµ]+)/g)]
  return Math.ceil(parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitSeconds[unit!]!, 0))
}

/** What the other keys of a service say to Docker alone: why, and which. */
const ofDocker = new Map(
  [
    ['Kubernetes restarts pods itself.', 'restart restart_policy'],
    ['The Services of the chart, and ingress or gateway, make n8n reachable.', 'ports expose'],
    [
      'Pods reach each other by the names of Services.',
      'networks links external_links container_name hostname domainname network_mode mac_address',
    ],
    ['Pods wait for their database and their Redis.', 'depends_on'],
    ['The chart has probes of its own.', 'healthcheck'],
    [
      'It says how Docker runs the container.',
      'profiles platform logging init tty stdin_open attach annotations pull_policy stop_signal update_config '
        + 'rollback_config mode endpoint_mode develop runtime ipc pid userns_mode cgroup cgroup_parent isolation '
        + 'group_add oom_score_adj oom_kill_disable memswap_limit mem_swappiness storage_opt blkio_config label_file '
        + 'cpu_shares cpu_count cpuset pids_limit pids ulimits',
    ],
    ['Containers have no rights here that they do not need.', 'cap_drop security_opt read_only'],
    ['/tmp is a volume of its own here.', 'tmpfs shm_size'],
    ['Secrets are copied from where n8n reads them.', 'secrets'],
    // Of Kubernetes.
    ['The chart has probes of its own.', 'livenessProbe readinessProbe startupProbe'],
    [
      'The chart says it for its own pods.',
      'securityContext serviceAccount serviceAccountName automountServiceAccountToken enableServiceLinks subdomain '
        + 'dnsPolicy restartPolicy schedulerName imagePullPolicy terminationMessagePath terminationMessagePolicy stdin',
    ],
    [
      'The chart updates each role in its own way.',
      'strategy updateStrategy revisionHistoryLimit progressDeadlineSeconds minReadySeconds podManagementPolicy '
        + 'persistentVolumeClaimRetentionPolicy',
    ],
  ].flatMap(([why, names]) => names!.split(' ').map((name) => [name, why!] as const)),
)

const byHand = byName<string>({
  cap_add: 'Containers get no more rights here: role.securityContext gives them.',
  privileged: 'Containers get no more rights here: role.securityContext gives them.',
  devices: 'Pods get devices from a plugin of the cluster: role.resources.limits.',
  configs: 'Make a ConfigMap of the file, and mount it with role.extraVolumes.',
  dns: 'Name the servers in role.dnsConfig.nameservers.',
  dns_search: 'Name the domains in role.dnsConfig.searches.',
  working_dir: asImage,
})

/** What is to be done with a key that nothing above has taken. */
function reasonFor(key: Key, part: Running): ((key: Key) => void) | undefined {
  if (key.name === 'placement') return () => takePlacement(key)
  const why = key.name === 'mode' && key.value === 'global' ? undefined : ofDocker.get(key.name)
  if (why !== undefined || key.name.startsWith('x-')) return () => key.drop(why ?? 'A note of the author’s.')
  if (byHand[key.name] !== undefined)
    return () => (isEmpty(key.value) || key.value === false ? key.drop('It is off.') : key.refuse(byHand[key.name]!))
  if (key.name === 'deploy') return () => key.each().forEach((inner) => reasonFor(inner, part)?.(inner))
  const named = part === 'runner' ? 'runner.image.repository' : 'image.repository'
  if (key.name === 'mode' && key.value === 'global') return () => key.refuse(onEach)
  if (key.name === 'build') return () => key.refuse(`Push the image to a registry, and name it in ${named}.`)
  if (key.name === 'user') return () => takeUser(key)
  return undefined
}

const onEach = 'Swarm runs one on each node: set how many in worker.replicas, and worker.topologySpread over nodes.'

/** Where Swarm runs it: its managers are none of the cluster’s nodes. */
function takePlacement(key: Key): void {
  for (const constraint of key.at('constraints').each()) {
    if (/^node\.role\b/.test(String(constraint.value))) constraint.drop('The cluster’s nodes have no such role.')
    else constraint.refuse('Name the label of the cluster’s nodes in role.nodeSelector.')
  }
  key.drop('Pods of one role are on different nodes where it is possible.')
}

function takeUser(key: Key): void {
  if (/^(1000|node)(:|$)/.test(String(key.value))) key.drop('n8n runs as this user here too.')
  else
    key.refuse('n8n runs as user 1000 here: its folder has to belong to that user (docs/move-folder.yaml sees to it).')
}

/** Repository, tag and digest. */
export const imageOf = (image: Key) => /^(.*?)(?::([^:/@]+))?(?:@(.*))?$/.exec(String(image.value ?? '')) ?? []

/** The image, whose tag says the version of n8n. */
export function takeImage(image: Key): void {
  const [, repository = '', tag, digest] = imageOf(image)
  if (image.isEmpty) return
  image.set('image.repository', repository)
  if (tag !== undefined) image.set('image.tag', tag)
  if (digest !== undefined) image.set('image.digest', digest)
}

/** How many executions a worker runs at once: n8n goes by its variable before it goes by its command. */
export function slotsOf({ of }: ComposeService): number {
  const files = (Array.isArray(of.env_file) ? of.env_file : []).filter(isMap)
  const [said] = [of.environment, ...files]
    .map((environment) => Number(variablesIn(environment).get(limit)))
    .filter((limit) => limit > 0)
  return said ?? Number(/--concurrency[= ](\d+)/.exec(commandOf(of))?.[1] ?? 10)
}
