import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { packagesFetched } from '../chart/community-nodes.ts'
import { imagesOfPlans } from '../chart/executing.ts'
import type { Plan } from '../chart/plan.ts'
import type { Place } from '../targets/open.ts'
import { courseOf, peakOf } from '../load/course.ts'
import { knownFaults, faultName, type Fault } from '../fault/faults.ts'
import { usage } from '../lib/errors.ts'
import { perSecond } from '../lib/figures.ts'
import type { CommonOptions } from './options.ts'
import type { Prepared } from './prepare.ts'
import type { Load } from '../model/load.ts'
import { type Workflow, servicesCalled } from '../workload/open.ts'

/** Something that the lab did not start, and what the run does there. */
interface Reached {
  /** As its owner would name it: a URL, a cluster, services. */
  what: string
  does: string[]
}

type Options = Pick<CommonOptions, 'target' | 'metricsUrl' | 'allowOutside' | 'remoteWrite' | 'record' | 'namespace'>
type Order = Pick<Prepared, 'experiment' | 'workflows' | 'credentials' | 'outside' | 'callServices'>

export interface ReachOrder extends Pick<Place, 'cluster'> {
  plans: Plan[]
  faults: Fault[]
  /** Whether n8n on this machine can get a network without a way out. */
  canSeal: boolean
  /** Images that a container runtime would pull, and its name. */
  pulls?: { program: string; images: string[] }
}

/** All that a run will write to and call beside what it starts itself; empty for a plain run on this machine. */
export function reachOf(options: Options, order: Order, where: ReachOrder): Reached[] {
  return [
    ...(options.target instanceof URL ? [instanceOf(options.target, options, order)] : []),
    ...(where.cluster ? [clusterOf(where.cluster, options, order, where)] : []),
    ...(options.target instanceof URL ? [] : servicesReached(options, order, where)),
    ...(options.target instanceof URL ? [] : packagesReached(where.plans)),
    ...imagesPulled(where.pulls),
    ...(options.remoteWrite
      ? [{ what: `${options.remoteWrite.href} (--remote-write)`, does: ['k6 writes its figures there'] }]
      : []),
    ...(options.record === undefined ? [] : [bucketOf(options.record)]),
  ]
}

/** A place for records: of a run, or of a report. */
export const bucketOf = (record: string): Reached => ({
  what: `${record} (--record)`,
  does: ['the run’s folder is written there when it has ended'],
})

/** An n8n whose API is only read. */
export const readFrom = (url: URL, days: number, most: number): Reached => ({
  what: `the n8n at ${url.href} (--from)`,
  does: [
    `its public API is read: all workflows, and up to ${most.toLocaleString('en')} executions of ${days} days`,
    'nothing is written there',
  ],
})

function instanceOf(url: URL, { metricsUrl }: Options, { experiment, workflows }: Order): Reached {
  const webhooks = workflows.map(({ name, webhook }) => `${webhook.method} ${webhook.path.split('?')[0]} (${name})`)
  const services = servicesCalled(workflows).map(({ name }) => name)
  return {
    what: `the n8n at ${url.href} (--target)`,
    does: [
      `it is asked ${webhooks.join(', ')}, ${loadInWords(experiment.load)}`,
      ...workflows.flatMap(inferredOf),
      'each webhook is called up to three times before the load, to see that it answers',
      'the load begins at one request a second, and rises only while the objective holds; it ends by itself when most '
        + 'answers miss it for two seconds, or more than a tenth are errors',
      'each request executes the workflow there for real, and its database stores the executions',
      services.length
        ? `each execution calls the real services of the workflow: ${services.join(', ')}`
        : 'by its file the workflow calls no other service',
      'what the workflow there calls beside that cannot be seen from here',
      ...metricsUrl.map(({ href }) => `its metrics are read at ${href}`),
    ],
  }
}

/** What callers there usually send is not in the file. */
function inferredOf({ name, made }: Workflow): string[] {
  // Headers and queries may have what opens a door.
  const sent = made?.requests?.map(({ body, form }) => JSON.stringify({ body, form })) ?? []
  const told = sent
    .filter((one) => one !== '{}')
    .map((one) => (one.length > longest ? `${one.slice(0, longest)}…` : one))
  return told.length
    ? [`what ${name} is sent was inferred from its file: ${told.join(' or ')}; --request FILE gives your own`]
    : []
}
const longest = 300

function clusterOf(
  { name, server, tries }: NonNullable<Place['cluster']>,
  { namespace }: Options,
  { experiment, workflows, credentials, outside }: Order,
  { plans, faults }: ReachOrder,
): Reached {
  const images = [...new Set(imagesOfPlans(plans))].sort()
  return {
    what: `the cluster of the context ${name} (${server})`,
    does: [
      namespace === undefined
        ? 'namespaces n8n-tuned-… are made for n8n, its stores and the load, and removed at the end'
        : `n8n, its stores and the load are made in the namespace ${namespace} under names of their own, and removed `
          + 'at the end; nothing else there is touched',
      `its nodes run these images, and pull those that they lack: ${images.join(', ')}, and k6`,
      'before the load each workflow is executed once, and where it fails once in ten seconds, at most '
        + `${tries} times`,
      ...(credentials.length
        ? ['what the workflows log in with is made up, is in a Secret there, and removed with the rest']
        : []),
      ...(outside ? ['what the workflows call over HTTP is answered by a mock, a pod of the run beside n8n'] : []),
      `n8n there is asked ${workflows.map((one) => one.name).join(', ')}, ${loadInWords(experiment.load)}`,
      ...faults.map(
        (fault) => `to what the run made there, by the fault ${faultName(fault)}: ${knownFaults[fault.name].does}`,
      ),
    ],
  }
}

const notSealed =
  'n8n has this machine’s network meanwhile; nodes that execute commands or write files are left out all the same'

/** Services that the workflows reach from an n8n that the lab starts. */
function servicesReached(
  { allowOutside }: Options,
  { workflows, credentials, outside, callServices }: Order,
  { canSeal }: ReachOrder,
): Reached[] {
  const services = servicesCalled(workflows, credentials)
  const found = [
    `found in the workflows: ${services.map(({ name }) => name).join(', ') || 'none that their files name'}`,
    'what expressions and code call cannot be seen from here',
  ]
  const real = (why: string, ...how: string[]): Reached => ({
    what: `the real services of the workflows (${why})`,
    does: [...how, ...found],
  })
  if (!outside) {
    if (allowOutside && callServices) return [real('--allow-outside', 'each execution calls them', notSealed)]
    return []
  }
  const { record, allow } = outside
  const sealed = canSeal && record === null && allow.length === 0
  const direct = services.filter(({ http }) => !http).map(({ name }) => name)
  return [
    ...(record === null
      ? []
      : [
          real(
            '--record-outside',
            `each kind of call is made once, for real; the answers are written to ${record}`,
            notSealed,
          ),
        ]),
    ...allow.map((address) => ({
      what: `${address} (allow, in the rules of outside)`,
      does: ['each execution may reach it for real', notSealed],
    })),
    ...(sealed || direct.length === 0
      ? []
      : [
          {
            what: direct.join(', '),
            does: [
              'each execution may reach them for real: what is not HTTP goes past the mock, and this n8n gets no '
                + 'network without a way out (docs/workload.md)',
            ],
          },
        ]),
  ]
}

/** Community nodes that npm fetches, before n8n starts, and that then run within it. */
const packagesReached = (plans: Plan[]): Reached[] =>
  packagesFetched(plans).map(({ registry, packages }) => ({
    what: `${packages.map(withoutLogin).join(', ')} (communityNodes.packages)`,
    does: [
      `npm fetches them, and what they depend on, from there or from ${withoutLogin(registry)}`,
      'their code runs within n8n',
    ],
  }))

const withoutLogin = (address: string) => address.replace(/\/\/[^/@]*@/, '//')

const imagesPulled = (pulls: ReachOrder['pulls']): Reached[] =>
  pulls?.images.length
    ? [{ what: `the registries of ${pulls.images.join(', ')}`, does: [`${pulls.program} pulls these images`] }]
    : []

/** The largest load of a run. */
function loadInWords(load: Load): string {
  switch (load.shape) {
    case 'search':
      return `at most ${perSecond(load.max)}`
    case 'closed':
      return `by ${load.vus} clients, each as fast as it is answered`
    case 'constant':
    case 'mixed':
      return `at most ${perSecond(load.rate)}`
    default: {
      const course = courseOf(load)
      return `at most ${perSecond(peakOf(course))}${course.waiting ? `, and ${course.waiting} at once` : ''}`
    }
  }
}

interface Streams {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
}

/**
 * The user's word for all that a run reaches beside what the lab starts: first it is shown whole, then asked once.
 * Without a terminal `--yes` is that word. Where nothing is reached, nothing is said.
 */
export async function agree(
  reached: Reached[],
  yes: true | undefined,
  { input, output }: Streams = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (reached.length === 0) return
  const list = inWords(reached)
  if (!yes && !(input.isTTY && output.isTTY)) throw notAgreed(`got none without a terminal:\n${list}`)
  output.write(`This run reaches what the lab did not start:\n${list}\n`)
  if (yes) return
  const questions = createInterface({ input, output })
  // Ctrl-C and Ctrl-D close it without an answer.
  const closed = once(questions, 'close').then(() => '')
  const answer = await Promise.race([questions.question('Do all of this? [y/N] '), closed])
  questions.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw notAgreed(`got ${JSON.stringify(answer.trim())}.`)
}

const inWords = (reached: Reached[]): string =>
  reached.map(({ what, does }) => [`  ${what}`, ...does.map((line) => `    - ${line}`)].join('\n')).join('\n')

const notAgreed = (got: string) =>
  usage(
    'not-agreed',
    `Expected your word for what this run reaches beside what the lab starts, ${got}`,
    'Give --yes if all of it is yours to load and to write to.',
  )
