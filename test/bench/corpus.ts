/**
 * Any real workflow, from its file alone: every file of a folder, with no other input, on one n8n.
 * node test/bench/corpus.ts FOLDER [RATE] [SECONDS, 0: only the first executions] [TOGETHER]
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { render } from '../../loadtests/src/chart/render.ts'
import { until } from '../../loadtests/src/lib/await.ts'
import { LabError } from '../../loadtests/src/lib/errors.ts'
import { driveStep } from '../../loadtests/src/load/k6.ts'
import { processGenerator } from '../../loadtests/src/load/process.ts'
import { openCatalog } from '../../loadtests/src/n8n/catalog.ts'
import { executionsOf, isOver } from '../../loadtests/src/n8n/execution-data.ts'
import { callsOf } from '../../loadtests/src/run/cell.ts'
import { firstRuns } from '../../loadtests/src/run/mend.ts'
import { timeInServices, type FirstAnswer, type FirstRun } from '../../loadtests/src/run/rehearse.ts'
import { installN8n } from '../../loadtests/src/n8n/install.ts'
import { localTarget } from '../../loadtests/src/targets/local/local.ts'
import { importableCredentials } from '../../loadtests/src/n8n/credentials.ts'
import { findWorkflows, type Workflow } from '../../loadtests/src/workload/open.ts'

const [folder = '', rate = '2', seconds = '20', together = '4'] = process.argv.slice(2)
const strict = process.env.STRICT !== undefined
const tag = '2.41.1'
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

interface Line {
  file: string
  exit: number
  succeeded: number
  failed: number
  p95: number | null
  ran: string
  /** Of the nodes of its main path, those that ran. */
  path: { nodes: number; ran: number; ended: boolean } | null
  /** Milliseconds of an execution that are n8n's own, and those in which it waits for services: medians. */
  own: number | null
  services: number | null
  /** Nodes that others stood in for. */
  bridged: string[]
  message: string
}

const lines: Line[] = []
const refused = (file: string, error: unknown) => {
  const known = error instanceof LabError
  const message = known ? `${error.message} ${error.hint ?? ''}`.trim() : `A defect: ${(error as Error).stack}`
  lines.push({
    file,
    exit: known ? error.exit : 1,
    succeeded: 0,
    failed: 0,
    p95: null,
    ran: '',
    path: null,
    own: null,
    services: null,
    bridged: [],
    message,
  })
}

const begun = Date.now()
const catalog = openCatalog(
  await installN8n(
    { repository: 'n8n', tag },
    { signal: stop.signal, onProgress: (line) => process.stderr.write(`${line}\n`) },
  ),
)
const found: { file: string; workflow: Workflow }[] = []
for (const file of (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()) {
  try {
    const workflows = await findWorkflows(join(folder, file), { file, line: null }, { catalog, strict })
    for (const workflow of workflows)
      found.push({
        file,
        workflow: { ...workflow, name: workflows.length > 1 ? workflow.name : basename(file, '.json') },
      })
  } catch (error) {
    refused(file, error)
  }
}

const shareOf = ({ coverage: { ran, nodes, path, ended, took, services }, bridges }: FirstRun) => ({
  ran: `${ran.length}/${nodes.length}`,
  path: { nodes: path.nodes.length, ran: path.ran.length, ended },
  own: took === null ? null : took - (services ?? 0),
  services,
  bridged: bridges.map(({ node, said }) => `${node}: ${said}`),
})

const median = (all: number[]): number | null => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? null

/** Two workflows on one path, or with one id, need two n8ns. */
function roundsOf(all: typeof found): (typeof found)[] {
  const rounds: { used: Set<string>; members: typeof found }[] = []
  for (const one of all) {
    const keys = [
      ...one.workflow.imports.map(({ id }) => id),
      ...one.workflow.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`),
    ]
    const round = rounds.find(({ used }) => keys.every((key) => !used.has(key)))
    if (round) {
      for (const key of keys) round.used.add(key)
      round.members.push(one)
    } else rounds.push({ used: new Set(keys), members: [one] })
  }
  return rounds.map(({ members }) => members)
}

async function runRound(members: typeof found): Promise<void> {
  const workflows = members.map(({ workflow }) => workflow)
  const fileOf = new Map(members.map(({ file, workflow }) => [workflow.id, file]))
  const hints = workflows.flatMap(({ made }) => made?.hints ?? [])
  const credentials = [
    ...new Map(workflows.flatMap(({ made }) => made?.credentials ?? []).map((one) => [one.id, one])).values(),
  ]
  const logs = process.env.LOGS ?? (await mkdtemp(join(tmpdir(), 'n8n-tuned-corpus-')))
  const target = await localTarget(processGenerator, { outside: { rules: [], allow: [], record: null, hints } })
  try {
    const plan = await render({
      image: { tag },
      main: { resources: { limits: { cpu: '1', memory: '3Gi' } }, heap: { megabytes: 2000 } },
      ...(workflows.some(({ needsNodes }) => needsNodes) && { loadtest: { enabled: true } }),
    })
    const answers: FirstAnswer[] = []
    const running = await target.up(plan, {
      workflows,
      credentials: importableCredentials(credentials),
      logs,
      signal: stop.signal,
      onProgress() {},
      onEvent() {},
      onAnswer: ({ id }, answer) => void answers.push({ id, ...answer }),
    })
    process.stderr.write(`ready after ${Math.round((Date.now() - begun) / 1000)} s\n`)
    const settings = running.settings!
    const first = await firstRuns(workflows, running, answers, {
      signal: stop.signal,
      strict,
      onTry: (tried, number) => process.stderr.write(`try ${number + 1}: ${tried.length} workflows\n`),
    })
    const fit = workflows.filter((workflow, index) => {
      const { refusal } = first[index]!
      if (refusal) refused(fileOf.get(workflow.id)!, refusal)
      return !refusal
    })
    process.stderr.write(
      `${fit.length} of ${workflows.length} run, after ${Math.round((Date.now() - begun) / 1000)} s\n`,
    )
    if (process.env.DUMP) await writeFile(process.env.DUMP, JSON.stringify(first, null, 1))
    const last = Math.max(0, ...first.flatMap(({ coverage }) => (coverage.executions ?? []).map(({ id }) => id)))
    if (Number(seconds) === 0) {
      for (const workflow of fit) {
        const one = first[workflows.indexOf(workflow)]!
        const file = fileOf.get(workflow.id)!
        lines.push({ file, exit: 0, succeeded: 1, failed: 0, p95: null, ...shareOf(one), message: '' })
      }
      return
    }
    // Those with like work run beside each other, so that a heavy workflow is late alone.
    const work = (workflow: Workflow) =>
      (first[workflows.indexOf(workflow)]!.coverage.executions ?? [])
        .flatMap(({ nodes }) => nodes)
        .reduce((sum, { runs }) => sum + runs, 0)
    fit.sort((a, b) => work(a) - work(b))
    for (let from = 0; from < fit.length; from += Number(together)) {
      const parts = fit.slice(from, from + Number(together)).map((workflow) => ({ workflow, weight: 1 }))
      const calls = callsOf({ name: 'corpus', parts }, running)
      const load = await driveStep(
        {
          ...calls,
          timeout: 60,
          duration: Number(seconds),
          shape: { kind: 'constant', rate: Number(rate) * parts.length },
        },
        { generator: target.generator, p95: 10_000, signal: stop.signal },
      )
      for (const [index, { workflow }] of parts.entries()) {
        const p95 = (load.parts ? load.parts[index]?.latency : load.latency)?.p95 ?? null
        lines.push({
          file: fileOf.get(workflow.id)!,
          exit: 0,
          succeeded: 0,
          failed: 0,
          p95: p95 === null ? null : Math.round(p95),
          ...shareOf(first[workflows.indexOf(workflow)]!),
          message: workflow.id,
        })
      }
      // What is still running would take its time from the next ones.
      const ids = parts.map(({ workflow }) => workflow.id)
      await until(async () => (await executionsOf(settings, ids, last)).every(isOver), {
        timeout: 60_000,
        every: 2_000,
        signal: stop.signal,
      })
      process.stderr.write(`${ids.length} more loaded, after ${Math.round((Date.now() - begun) / 1000)} s\n`)
    }
    for (const line of lines.filter(({ exit, message }) => exit === 0 && fileOf.has(message))) {
      const all = await executionsOf(settings, [line.message], last)
      line.succeeded = all.filter(({ status }) => status === 'success').length
      line.failed = all.length - line.succeeded
      const main = workflows.find(({ id }) => id === line.message)!.imports.at(-1)!
      const whole = all.filter(({ status, took }) => status === 'success' && took !== null)
      line.services = median(whole.map((one) => timeInServices(one, main)))
      line.own = median(whole.map((one) => one.took! - timeInServices(one, main)))
      const failure = all.find(({ error }) => error)?.error
      line.message = failure ? `${failure.node}: ${failure.message}` : ''
      if (line.succeeded === 0) line.exit = 4
    }
    const outside = await running.outside?.()
    if (outside) {
      const guessed = [...new Set(outside.calls.filter(({ outcome }) => outcome === 'guessed').map(({ host }) => host))]
      const left = outside.left.join(', ') || 'nothing'
      const away = outside.turnedAway ?? 'not counted'
      process.stderr.write(`guessed hosts: ${guessed.join(', ')}\nleft the machine: ${left}; turned away: ${away}\n`)
    }
  } finally {
    await target.close()
    if (!process.env.LOGS) await rm(logs, { recursive: true })
  }
}

try {
  for (const members of roundsOf(found)) await runRound(members)
} catch (error) {
  // What is known until then is told.
  if (!stop.signal.aborted) throw error
}

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)
lines.sort((a, b) => a.file.localeCompare(b.file))
const rows = lines.map(({ file, exit, succeeded, failed, p95, own, services, ran, path, bridged, message }) => [
  cut(file.replace(/\.json$/, ''), 60),
  exit,
  succeeded,
  failed,
  p95 ?? '',
  own ?? '',
  services ?? '',
  ran,
  path ? `${path.ran}/${path.nodes}${path.ended ? '' : ', partly'}` : '',
  bridged.length || '',
  cut([message, ...bridged].join(' ').replaceAll('\n', ' ').replaceAll('|', '/'), 400),
])
const head = [
  'Workflow',
  'Exit',
  'Succeeded',
  'Failed',
  'p95 ms',
  'n8n ms',
  'Services ms',
  'Nodes run',
  'Main path',
  'Bridged',
  'Message',
]
for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`)
const fine = lines.filter(({ exit, succeeded }) => exit === 0 && succeeded > 0)
const whole = fine.filter(({ bridged }) => bridged.length === 0)
const isMost = ({ path }: Line) => path !== null && path.ran >= 0.8 * path.nodes
const took = Math.round((Date.now() - begun) / 1000)
console.log(`\n${fine.length} of ${lines.length} end with executions that succeed and a figure, in ${took} s.`)
console.log(
  `${whole.length} of these have no node bridged; ${whole.filter(isMost).length} of them run 80 % of their main path.`,
)
