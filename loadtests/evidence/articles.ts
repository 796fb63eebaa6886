import type { Resources, Result, Summary } from '../src/model/summary.ts'
import { table } from '../src/report/tables.ts'
import { count, figure, memory } from '../src/lib/figures.ts'

/** The tables of three older articles about Node servers, beside our measurements. */

/** Requests a second of Express with 100 clients on four cores. */
const CLUSTERING: Record<string, [single: number, clustered: number]> = {
  'count-50': [1882, 1672],
  'count-5000': [1975, 1753],
  'count-500000': [788, 1426],
  'count-5000000': [114, 410],
}

export function clustering({ results }: Summary): string {
  return table(
    ['Counts to', 'article: one process', 'article: cluster', 'gain', 'here: one process', 'here: cluster', 'gain'],
    Object.entries(CLUSTERING).map(([workflow, [single, clustered]]) => {
      const rateOf = (variant: string): number => pick(results, variant, workflow).capacity?.rate ?? NaN
      const [one, four] = [rateOf('single'), rateOf('clustered')]
      return [
        count(Number(workflow.slice('count-'.length))),
        count(single),
        count(clustered),
        gain(clustered / single),
        figure(one),
        figure(four),
        gain(four / one),
      ]
    }),
  )
}

/** Requests a second for 400 clients under PM2, as separate processes and behind a master. */
const HTTP_MEMORY: Record<string, [fork: number, cluster: number]> = { http: [17487, 15077], express: [14534, 12032] }

export function httpMemory({ results }: Summary): string {
  return table(
    [
      'Server',
      'article: fork',
      'article: cluster',
      'here: single',
      'here: cluster of 1',
      'memory: single',
      'memory: master + worker',
    ],
    Object.entries(HTTP_MEMORY).map(([server, [fork, cluster]]) => {
      const [single, clustered] = [pick(results, `${server}-single`), pick(results, `${server}-clustered`)]
      return [
        server,
        count(fork),
        count(cluster),
        rateOf(single),
        rateOf(clustered),
        memoryOf(single.resources[0]),
        `${memoryOf(named(clustered, 'master'))} + ${memoryOf(named(clustered, 'worker'))}`,
      ]
    }),
  )
}

/** How much more iptables answered than the others, from the article's figures. */
const BALANCERS: Record<string, string> = { cluster: '100 %', nginx: '104 %', iptables: '106 %' }

export function balancers({ results }: Summary): string {
  const baseline = pick(results, 'cluster').capacity?.rate ?? NaN
  return table(
    [
      'Before the processes',
      'article',
      'here',
      'requests a second',
      'least and most of one process',
      'CPU of balancer or master',
      'memory of balancer or master',
      'memory of the processes',
    ],
    results.map((result) => {
      const processes = result.resources.filter(({ requests }) => requests !== null)
      const before = result.resources.find(({ requests }) => requests === null)
      const answered = processes.map(({ requests }) => requests!)
      const rss = processes.reduce((sum, each) => sum + (each.rss?.mean ?? 0), 0)
      return [
        result.variant,
        BALANCERS[result.variant] ?? '–',
        `${figure(((result.capacity?.rate ?? NaN) / baseline) * 100)} %`,
        rateOf(result),
        `${count(Math.min(...answered))} – ${count(Math.max(...answered))}`,
        before?.cpu ? before.cpu.mean.toFixed(2) : 'the kernel’s',
        memoryOf(before),
        memory(rss),
      ]
    }),
  )
}

function pick(results: Result[], variant: string, workflow?: string): Result {
  const found = results.find((result) => result.variant === variant && (!workflow || result.workflow === workflow))
  if (!found) throw new Error(`Expected a result of ${variant}${workflow ? ` under ${workflow}` : ''}.`)
  return found
}

const named = ({ resources }: Result, part: string): Resources | undefined =>
  resources.find(({ process }) => process.includes(part))
const rateOf = ({ capacity }: Result): string => (capacity ? figure(capacity.rate) : '–')
const memoryOf = (resources: Resources | undefined): string => (resources?.rss ? memory(resources.rss.mean) : '–')
const gain = (ratio: number): string => `${figure(ratio)}×`
