import { roleOf, storeOf, type N8nRole } from '../judge/roles.ts'
import type { FoundBottleneck, NextShortage, Shortage } from '../judge/bottlenecks/found.ts'
import { figure, latency, memory, percent } from '../lib/figures.ts'
import type { Bottleneck } from '../model/step.ts'

/** The words for what was in the way, and for what to change: values of a role, or of what runs beside n8n. */

/** As the record has it. */
export function bottleneckInWords(found: FoundBottleneck): Bottleneck {
  const { code, process, next } = found
  const [what, advice] = words(found)
  return { code, process, what, advice: `${advice}${next ? nextInWords(next) : ''}` }
}

/** The Helm value that limits a process: `worker.resources.limits`. */
export function limitsOf(process: string): string {
  if (process.endsWith('-runner')) return 'runner.resources.limits'
  const role = roleOf(process)
  if (role) return `${role}.resources.limits`
  const store = storeOf(process)
  return store ? `${store === 'redis' ? 'redis' : 'database'}.embedded.resources.limits` : 'its limits'
}

/** What takes the load off an event loop that is full. */
const more: Record<N8nRole, string> = {
  main: 'set executions.mode: queue, whose workers take the executions off it',
  worker: 'raise worker.replicas',
  webhook: 'raise webhook.replicas',
}

function words(found: Shortage): [what: string, advice: string] {
  switch (found.by) {
    case 'heap':
      return [`The heap of ${found.process} was full.`, heap(found)]
    case 'limit':
      return [`The CPU limit of ${found.process} was used up.`, limit(found)]
    case 'loop':
      return [
        `The event loop of ${found.process} was full.`,
        `${found.process} used ${found.cpu.toFixed(2)} cores, and its event loop runs on one: more `
          + `CPU does not help, ${more[roleOf(found.process)!]}.`,
      ]
    case 'cores':
      return [
        found.code === 'others' ? 'Others took n8n’s cores.' : 'n8n’s processes had no core to spare.',
        cores(found),
      ]
    case 'redis':
      return [
        'Redis answered late.',
        `Redis took ${latency(found.took)} to answer, and each execution asks it several times. Look at its CPU `
          + '(redis.embedded.resources.limits), its disk, the slow commands of other clients, and the network.',
      ]
    case 'lists':
      return ['PostgreSQL read the editor’s list of executions.', lists(found)]
    case 'disk':
      return [
        'PostgreSQL waited for its disk.',
        `PostgreSQL waited for its disk in ${percent(found.share)} of the looks: give it a faster one `
          + '(database.embedded.persistence.storageClass), or write less with tuning.tier: lean.',
      ]
    case 'pool':
      return [`The database connections of ${found.process} were all in use.`, pool(found)]
    case 'slots':
      return [
        found.waiting === null
          ? 'Main ran as many executions as it may.'
          : 'The workers ran as many executions as they may.',
        slots(found),
      ]
    case 'thread':
      return [
        `${found.process} was busy for ${percent(found.busy)} of the time, and callers who came at once waited `
          + 'in turn.',
        (found.code === 'cpu-limit'
          ? `Raise ${limitsOf(found.process)}.cpu, or `
          : 'Its event loop runs on one core: more CPU does not help, ')
          + `${more[roleOf(found.process)!]}, or make the workflow cheaper.`,
      ]
    case 'runner':
      return ['The task runners ran as many tasks of Code nodes as they may.', runner(found)]
    case 'services':
      return [
        'Most of a request was waiting for what the workflow calls.',
        `Of ${latency(found.all)} that a request took on average, it waited ${latency(found.services)} for services: `
          + 'look at what the workflow calls, or call less.',
      ]
    case 'nothing':
      return ['', nothing(found)]
  }
}

type By<Kind extends Shortage['by']> = Extract<Shortage, { by: Kind }>

function heap({ process, least, limit }: By<'heap'>): string {
  const limits = limitsOf(process)
  return (
    `${process} never held less than ${memory(least)}, ${percent(least / limit)} of its heap: `
    + `raise ${limits}.memory or ${limits.replace('.resources.limits', '.heap.megabytes')}, or run fewer executions `
    + 'at once.'
  )
}

function limit({ process, limit: cores, share, throttled }: By<'limit'>): string {
  const stopped = throttled === null ? '' : `, which stopped it in ${percent(throttled)} of its periods`
  const role = roleOf(process)
  return (
    `${process} used ${percent(share)} of its CPU limit${stopped}: `
    + `raise ${limitsOf(process)}.cpu${role && cores >= 1 ? `, or ${more[role]}` : ''}, or make the workflow cheaper.`
  )
}

function cores({ code, used, cores: all, waiting }: By<'cores'>): string {
  const have = all === null ? 'cores' : all === 1 ? '1 core' : `${all} cores`
  const waited = waiting ? `, and ${waiting.process} waited for one ${percent(waiting.share)} of the time` : ''
  const change =
    code === 'others'
      ? 'close other programs of this machine.'
      : 'give the machine more, or spread n8n over several (--target kubernetes).'
  return `n8n’s processes used ${used.toFixed(2)} of their ${have}${waited}: ${change}`
}

function pool({ process, most, waiting, isPostgresql }: By<'pool'>): string {
  const raise = isPostgresql
    ? 'raise database.poolSize, and database.maxConnections with it'
    : 'set database.type: embedded, since SQLite writes one thing at a time'
  return (
    `${process} may open ${most} to its database, and ${figure(waiting)} requests waited for one on average: `
    + `${raise}.`
  )
}

function lists({ reading, active }: By<'lists'>): string {
  return (
    `Of ${figure(active)} connections at work in PostgreSQL, ${figure(reading)} read the list that open editors poll, `
    + 'for which n8n has no index: set database.indexes.executionList: true.'
  )
}

function slots({ active, most, waiting }: By<'slots'>): string {
  const ran = `${figure(active)} of at most ${most} executions ran at once`
  return waiting === null
    ? `${ran}: raise main.extraEnv.N8N_CONCURRENCY_PRODUCTION_LIMIT.`
    : `${ran}, and ${figure(waiting)} waited: raise worker.concurrency, or worker.replicas.`
}

function runner({ active, most }: By<'runner'>): string {
  return (
    `${figure(active)} executions were under way, and the task runners run ${most} tasks of Code nodes at once. n8n `
    + 'had CPU to spare: raise runner.concurrency, or let the code wait less.'
  )
}

function nothing({ busiest }: By<'nothing'>): string {
  if (!busiest)
    return (
      'Find out which process is out of CPU: that of a webhook is main’s, in queue mode the webhook '
      + 'processor’s or the worker’s.'
    )
  const { process, cpu, share } = busiest
  const used = share === null ? `${cpu.toFixed(2)} cores` : `${percent(share)} of its CPU limit`
  return (
    `No process was out of CPU, the busiest, ${process}, used ${used}, and nothing else that the lab sees was `
    + 'used up.'
  )
}

const parts: Record<NextShortage['what'], (process: string | null) => string> = {
  limit: (process) => `the CPU limit of ${process}`,
  loop: (process) => `the event loop of ${process}`,
  cores: () => 'the cores that n8n has here',
  disk: () => 'PostgreSQL’s disk',
}

function nextInWords({ what, process, times }: NextShortage): string {
  const when =
    times < 1.2 ? 'at about the same throughput' : `at about ${figure(Number(times.toFixed(1)))} times this throughput`
  return ` After it comes ${parts[what](process)}, ${when}.`
}
