import { nameValue } from '../../lib/name-value.ts'
import type { Key } from '../key.ts'
import { cpu, inMemory } from '../parts.ts'
import { takeVariable, type Role } from '../variables.ts'
import { isEmpty } from '../values.ts'
import { commandOf, mountOf, type Service } from './services.ts'

type Running = Exclude<Service['kind'], 'once' | 'other'>

/** One service that runs n8n, or its runners. */
export function convertService({ kind, of }: Service, service: Key): void {
  const part = kind as Running
  const role = part === 'main' ? 'role' : part
  for (const file of service.at('env_file').each()) takeEnvironment(file, role)
  takeEnvironment(service.at('environment'), role)
  takeCommand(part, commandOf(of), service)
  takeAmounts(part, service)
  for (const mount of service.at('volumes').each()) takeMount(part, mount)
  for (const label of service.at('labels').each()) takeLabel(label)
  for (const label of service.at('deploy').at('labels').each()) takeLabel(label)
  for (const host of service.at('extra_hosts').each()) takeHost(role, host)
  takeGrace(part, service.at('stop_grace_period'))
  for (const key of service.each()) reasonFor(key)?.(key)
}

function takeEnvironment(environment: Key, role: Role): void {
  for (const entry of environment.each()) {
    const [name, text] = Array.isArray(environment.value)
      ? nameValue(String(entry.value))
      : [entry.name, entry.value === null ? '' : entry.value]
    const value = typeof text === 'string' ? unquoted(text) : text
    takeVariable({ name, value, role, key: entry.as(value) }, entry.draft)
  }
}

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

const atAll = <Name extends string>(key: Key, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, key.at(name)])) as Record<Name, Key>
const pick = (one: Key, other: Key) => (one.isEmpty ? other : one)
const asText = (key: Key) => (key.isEmpty ? key : key.as(String(key.value)))

/** `2gb` in Kubernetes’ words: `2Gi`. */
function asBytes(key: Key): Key {
  if (key.isEmpty) return key
  const bytes = String(key.value)
    .replace(/b$/i, '')
    .replace(/[kmg]$/i, (unit) => `${unit.toUpperCase()}i`)
  return key.as(bytes)
}

const folder = /^(\/home\/node|\/root)\/\.n8n\/?$/

function takeMount(part: Running, mount: Key): void {
  const { from, target } = mountOf(mount.value)
  if (folder.test(target) || /^\/home\/node\/?$/.test(target)) {
    if (part === 'main') mount.leadsTo('persistence.existingClaim')
    else mount.drop('Only main needs n8n’s folder: the others keep nothing in it.')
  } else if (/^\/etc\/(localtime|timezone)$/.test(target)) mount.drop('timezone says it.')
  else if (part === 'runner') mount.refuse('Put the launcher’s file into an image of yours, runner.image.')
  else mount.refuse(`${from} at ${target}: mount a claim or a ConfigMap there, with role.extraVolumes.`)
}

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
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?$/.exec(String(grace.value))?.map(Number) ?? []
  const all = (hours || 0) * 3600 + (minutes || 0) * 60 + (seconds || 0)
  if (all > (part === 'worker' ? 150 : 45))
    grace.set(`${part}.shutdown`, { gracefulSeconds: all - 15, gracePeriodSeconds: all })
  else grace.drop('Pods get at least that time here too.')
}

const group = (why: string, names: string) => names.split(' ').map((name) => [name, why] as const)

/** What the other keys of a service say to Docker alone. */
const ofDocker: Record<string, string> = Object.fromEntries([
  ...group('Kubernetes restarts pods itself.', 'restart restart_policy'),
  ...group('The Services of the chart, and ingress or gateway, make n8n reachable.', 'ports expose'),
  ...group('Pods reach each other by the names of Services.', 'networks links external_links container_name hostname'),
  ...group('Pods reach each other by the names of Services.', 'domainname network_mode mac_address'),
  ...group('Pods wait for their database and their Redis.', 'depends_on'),
  ...group('The chart has probes of its own.', 'healthcheck'),
  ...group(
    'It says how Docker runs the container.',
    'profiles platform logging init tty stdin_open attach annotations',
  ),
  ...group('It says how Docker runs the container.', 'pull_policy stop_signal update_config rollback_config mode'),
  ...group(
    'It says how Docker runs the container.',
    'endpoint_mode placement develop runtime oom_score_adj memswap_limit',
  ),
  ...group(
    'It says how Docker runs the container.',
    'mem_swappiness cpu_shares cpu_count cpuset pids_limit pids ulimits',
  ),
  ...group('Containers have no rights here that they do not need.', 'cap_drop security_opt read_only'),
  ...group('/tmp is a volume of its own here.', 'tmpfs shm_size'),
  ...group('Secrets are copied from where n8n reads them.', 'secrets'),
])

const byHand: Record<string, string> = {
  build: 'Push the image to a registry, and name it in image.repository.',
  cap_add: 'Containers get no more rights here: role.securityContext gives them.',
  privileged: 'Containers get no more rights here: role.securityContext gives them.',
  devices: 'Pods get devices from a plugin of the cluster: role.resources.limits.',
  configs: 'Make a ConfigMap of the file, and mount it with role.extraVolumes.',
  dns: 'Name the servers in role.dnsConfig.nameservers.',
  dns_search: 'Name the domains in role.dnsConfig.searches.',
  working_dir: asImage,
}

/** What is to be done with a key that nothing above has taken. */
function reasonFor(key: Key): ((key: Key) => void) | undefined {
  const why = ofDocker[key.name]
  if (why !== undefined || key.name.startsWith('x-')) return () => key.drop(why ?? 'A note of the author’s.')
  if (byHand[key.name] !== undefined)
    return () => (isEmpty(key.value) || key.value === false ? key.drop('It is off.') : key.refuse(byHand[key.name]!))
  if (key.name === 'deploy') return () => key.each().forEach((inner) => reasonFor(inner)?.(inner))
  if (key.name === 'user') return () => takeUser(key)
  return undefined
}

function takeUser(key: Key): void {
  if (/^(1000|node)(:|$)/.test(String(key.value))) key.drop('n8n runs as this user here too.')
  else
    key.refuse('n8n runs as user 1000 here: its folder has to belong to that user (docs/move-folder.yaml sees to it).')
}

/** The image, whose tag says the version of n8n. */
export function takeImage(image: Key): void {
  const [, repository = '', tag, digest] = /^(.*?)(?::([^:/@]+))?(?:@(.*))?$/.exec(String(image.value ?? '')) ?? []
  if (image.isEmpty) return
  image.set('image.repository', repository)
  if (tag !== undefined) image.set('image.tag', tag)
  if (digest !== undefined) image.set('image.digest', digest)
}
