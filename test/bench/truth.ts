/**
 * Does the answer of `make capacity` hold against a slow and sure measurement of the same real n8n? Of each workflow: a
 * reference in three parts, before, between and after the runs that are tried, so that a change of the machine's pace
 * is seen. Adds each part and each run to docs/evidence/raw/truth.ndjson as it ends, and goes on from there; writes
 * docs/evidence/truth.md.
 * node test/bench/truth.ts [RUNS] [ANSWERS] [WORKFLOW...]    runs of each workflow, by default 5, and answers of each
 *                                                            n8n at each rate, by default 800; 0 runs writes the page
 */
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { join } from 'node:path'
import { render } from '../../loadtests/src/chart/render.ts'
import { latenessOf } from '../../loadtests/src/judge/lateness.ts'
import { capacityWhenFull } from '../../loadtests/src/judge/estimate/estimate.ts'
import { figure, percent } from '../../loadtests/src/lib/figures.ts'
import { mergeValues } from '../../loadtests/src/lib/values.ts'
import { driveStep } from '../../loadtests/src/load/k6.ts'
import { processGenerator } from '../../loadtests/src/load/process.ts'
import { loadProfile } from '../../loadtests/src/model/profile.ts'
import type { PlannedStep } from '../../loadtests/src/model/step.ts'
import type { WrittenSummary } from '../../loadtests/src/model/summary.ts'
import { openCatalog } from '../../loadtests/src/n8n/catalog.ts'
import { installN8n } from '../../loadtests/src/n8n/install.ts'
import { callsOf } from '../../loadtests/src/run/cell.ts'
import { localTarget } from '../../loadtests/src/targets/local/local.ts'
import { findWorkflows } from '../../loadtests/src/workload/open.ts'
import { command, root } from '../support/command.ts'
import { random } from '../support/random.ts'

const [runs = '5', answers = '800', ...named] = process.argv.slice(2)
const workflows = named.length ? named : ['http-webhook', 'ping-webhook']
const raw = join(root, 'docs/evidence/raw/truth.ndjson')
const { experiment } = await loadProfile(join(root, 'loadtests/profiles/capacity.yaml'))
const objective = experiment.slo.p95
const tiers = experiment.variants.map(({ name }) => name)
const tag = '2.41.1'
const parts = 3
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

/** What one n8n did in a step of the reference. */
interface Did {
  tier: string
  /** Requests a second that were asked for; null when it was full. */
  rate: number | null
  answers: number
  late: number
  /** CPU seconds of an execution. */
  cpu: number | null
  /** Executions a second when it was full. */
  throughput: number | null
}

interface Part {
  kind: 'part'
  workflow: string
  at: string
  load: number
  did: Did[]
}

interface Run {
  kind: 'run'
  workflow: string
  at: string
  load: number
  minutes: number
  capacities: { tier: string; rate: number; low: number | null; high: number | null; answered: string }[]
  cpu: { low: number; ratio: number; high: number } | null
  throughput: { low: number; ratio: number; high: number } | null
  capacity: { low: number; ratio: number; high: number } | null
  finding: string
}

const kept = async (): Promise<(Part | Run)[]> =>
  (await readFile(raw, 'utf8').catch(() => ''))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const keep = (one: Part | Run) => appendFile(raw, `${JSON.stringify(one)}\n`)
const load = () => Number(loadavg()[0]!.toFixed(2))
const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)

/** In turns A B B A, so that a machine that changes its pace changes it for both. */
const order = (count: number) => Array.from({ length: count }, (_, nth) => [0, 1, 1, 0][nth % 4]!)
const warm = { executions: 450, seconds: 5, clients: 6, turns: 8 }
const around = [0.7, 0.85, 1, 1.15]
const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

async function measurePart(workflow: string, rates: Map<string, number[]>): Promise<Part> {
  const catalog = openCatalog(await installN8n({ repository: 'n8n', tag }, { signal: stop.signal, onProgress() {} }))
  const found = await findWorkflows(`workflows/${workflow}.json`, { file: workflow, line: null }, { catalog })
  const hints = found.flatMap(({ made }) => made?.hints ?? [])
  const target = await localTarget(processGenerator, { outside: { rules: [], allow: [], record: null, hints } })
  const logs = await mkdtemp(join(tmpdir(), 'n8n-tuned-truth-'))
  const did: Did[] = []
  try {
    const up = async (tier: string) => {
      const own = experiment.variants.find(({ name }) => name === tier)!.values
      const plan = await render(mergeValues(experiment.base, own, { monitoring: { enabled: true } }))
      const running = await target.up(plan, {
        workflows: found,
        logs: join(logs, tier),
        signal: stop.signal,
        onProgress() {},
        onEvent() {},
      })
      const traffic = { name: workflow, parts: found.map((one) => ({ workflow: one, weight: 1 })) }
      return { tier, running, calls: callsOf(traffic, running), executed: 0 }
    }
    const pair = [await up(tiers[0]!), await up(tiers[1]!)]
    let nth = 0
    const cpuOf = async ({ running }: (typeof pair)[number]) => {
      const used = await Promise.all(running.processes.map((process) => process.usage()))
      return used.reduce((sum, { cpuSeconds }) => sum + (cpuSeconds ?? 0), 0)
    }
    const drive = async (one: (typeof pair)[number], shape: PlannedStep['shape'], seconds: number) => {
      const before = await cpuOf(one)
      const load = await driveStep(
        { ...one.calls, timeout: 30, duration: seconds, shape, arrivals: 'random', seed: 1000 + nth++ },
        { generator: target.generator, p95: objective, signal: stop.signal },
      )
      // What is still under way ends in this time.
      await setTimeout(1000, undefined, { signal: stop.signal })
      one.executed += load.accepted
      return { load, cpu: ((await cpuOf(one)) - before) / load.accepted }
    }
    const full: PlannedStep['shape'] = { kind: 'closed', vus: warm.clients }
    while (pair.some(({ executed }) => executed < warm.executions))
      for (const place of order(4)) await drive(pair[place]!, full, warm.seconds)
    for (const place of order(warm.turns)) {
      const { load, cpu } = await drive(pair[place]!, full, warm.seconds)
      did.push({
        tier: pair[place]!.tier,
        rate: null,
        answers: load.accepted,
        late: 0,
        cpu,
        throughput: load.throughput,
      })
    }
    for (const { tier } of pair)
      if (!rates.has(tier)) {
        const own = did.filter((one) => one.tier === tier).map((one) => one.throughput!)
        // Around where a usual queue misses the objective.
        const edge = capacityWhenFull(middle(own), { p95: objective })
        rates.set(
          tier,
          around.map((times) => Number((times * edge).toPrecision(3))),
        )
      }
    const each = Math.ceil(Number(answers) / parts / 2)
    for (let place = 0; place < around.length; place++)
      for (const who of order(4)) {
        const one = pair[who]!
        const rate = rates.get(one.tier)![place]!
        // The first seconds of a step do not count for latency.
        const { load, cpu } = await drive(one, { kind: 'constant', rate }, Math.ceil(each / rate) + 2)
        const [{ late, of } = { late: 0, of: 0 }] = latenessOf(load, { p95: objective, errors: 1, backlog: 1 })
        did.push({ tier: one.tier, rate, answers: of, late, cpu, throughput: null })
      }
  } finally {
    await target.close()
    await rm(logs, { recursive: true, force: true })
  }
  return { kind: 'part', workflow, at: new Date().toISOString(), load: load(), did }
}

/** What `make capacity` does, as its users type it. */
async function measureRun(workflow: string, nth: number): Promise<Run> {
  const out = await mkdtemp(join(tmpdir(), 'n8n-tuned-truth-run-'))
  const began = Date.now()
  const before = load()
  try {
    const said = await command('compare', '--profile', 'capacity', '--workflow', workflow, '--when-quiet', '--out', out)
    const text = await readFile(join(out, 'summary.json'), 'utf8').catch(() => {
      throw new Error(`Run ${nth} of ${workflow} wrote no summary: ${said.out.slice(-500)}${said.err.slice(-500)}`)
    })
    const summary = JSON.parse(text) as WrittenSummary
    const one = summary.comparison[0]!
    return {
      kind: 'run',
      workflow,
      at: new Date(began).toISOString(),
      load: before,
      minutes: (Date.now() - began) / 60_000,
      capacities: summary.answer.configurations.map(({ variant, capacity, answered }) => ({
        tier: variant,
        ...(capacity
          ? { rate: capacity.rate, low: capacity.low, high: capacity.high }
          : { rate: 0, low: null, high: null }),
        answered,
      })),
      cpu: one.cpu ?? null,
      throughput: one.throughput ?? null,
      capacity: one.capacity ?? null,
      finding: one.finding ?? 'none',
    }
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

/** The reference of one n8n: where 5 % of its answers are late, by all parts and by each. */
interface Reference {
  tier: string
  capacity: number | null
  low: number
  high: number
  /** Right 19 times in 20, as far as its steps differ from each other. */
  within: { low: number; high: number }
  /** CPU seconds of an execution in each part, when full. */
  paces: number[]
}

/**
 * Where 5 % of the answers are late, between the two rates beside it. The share of late answers never falls as the rate
 * grows, and its log odds are taken as straight from one rate to the next. Rates far past the edge say nothing of it:
 * an n8n that is overloaded for some seconds is late for as many as the step is long.
 */
function edgeOf(did: Did[]): number | null {
  const rates = [...Map.groupBy(did, ({ rate }) => rate!).entries()].toSorted(([a], [b]) => a - b)
  const points: { x: number; late: number; of: number }[] = []
  for (const [rate, own] of rates) {
    const sum = (of: (one: Did) => number) => own.reduce((all, one) => all + of(one), 0)
    points.push({ x: Math.log(rate), late: sum(({ late }) => late), of: sum(({ answers }) => answers) })
  }
  // Neighbours that fall are one (pool adjacent violators).
  const pools = points.map((one) => ({ ...one, from: one.x, to: one.x }))
  const share = ({ late, of }: { late: number; of: number }) => (late + 0.5) / (of + 1)
  for (let nth = 1; nth < pools.length;)
    if (share(pools[nth]!) >= share(pools[nth - 1]!)) nth++
    else {
      const [next] = pools.splice(nth, 1)
      const one = pools[nth - 1]!
      Object.assign(one, { late: one.late + next!.late, of: one.of + next!.of, to: next!.to })
      nth = Math.max(1, nth - 1)
    }
  const odds = (one: { late: number; of: number }) => Math.log(share(one) / (1 - share(one)))
  const due = Math.log(0.05 / 0.95)
  const above = pools.findIndex((one) => odds(one) >= due)
  if (above < 1) return null
  const [before, after] = [pools[above - 1]!, pools[above]!]
  return Math.exp(before.to + ((due - odds(before)) / (odds(after) - odds(before))) * (after.from - before.to))
}

/** Draws the steps of each rate anew, since those show how far chance and the pace of the machine move them. */
function withinOf(did: Did[]): { low: number; high: number } {
  const next = random(1)
  const byRate = [...Map.groupBy(did, ({ rate }) => rate).values()]
  const drawn = Array.from({ length: 1000 }, () =>
    edgeOf(byRate.flatMap((own) => own.map(() => own[Math.floor(next() * own.length)]!))),
  )
  const edges = drawn.filter((edge) => edge !== null).toSorted((a, b) => a - b)
  const at = (share: number) => edges[Math.floor(share * (edges.length - 1))] ?? NaN
  return { low: at(0.025), high: at(0.975) }
}

function referenceOf(tier: string, all: Part[]): Reference {
  const own = all.map(({ did }) => did.filter((one) => one.tier === tier))
  const atRates = own.flat().filter(({ rate }) => rate !== null)
  const each = own.flatMap((did) => edgeOf(did.filter(({ rate }) => rate !== null)) ?? [])
  const paces = own.map((did) => middle(did.filter(({ rate }) => rate === null).map(({ cpu }) => cpu!)))
  const range = { low: Math.min(...each), high: Math.max(...each) }
  return { tier, capacity: edgeOf(atRates), ...range, within: withinOf(atRates), paces }
}

/** Tuned ÷ n8n-defaults, when both were full. */
function ratioOf(all: Part[], figure: 'cpu' | 'throughput'): number {
  const own = (tier: string) =>
    all.map(({ did }) => middle(did.filter((one) => one.tier === tier && one.rate === null).map((one) => one[figure]!)))
  const [before, after] = [own(tiers[0]!), own(tiers[1]!)]
  return Math.exp(after.reduce((sum, one, nth) => sum + Math.log(one / before[nth]!), 0) / after.length)
}

const holds = (range: { low: number | null; high: number | null } | null, value: number | null) =>
  range !== null && value !== null && range.low !== null && range.low <= value && value <= (range.high ?? Infinity)
const halfWidth = (range: { low: number; ratio: number; high: number } | null) =>
  range ? (range.high - range.low) / 2 / range.ratio : Infinity
const count = (all: boolean[]) => `${all.filter(Boolean).length} of ${all.length}`
const cells = (...all: string[]) => `| ${all.join(' | ')} |`

function pageOf(records: (Part | Run)[]): string {
  const told = [...new Set(records.map(({ workflow }) => workflow))].map((workflow) => {
    const own = records.filter((one) => one.workflow === workflow)
    const all = own.filter((one) => one.kind === 'part')
    const tried = own.filter((one) => one.kind === 'run')
    const references = tiers.map((tier) => referenceOf(tier, all))
    const [cpu, throughput] = [ratioOf(all, 'cpu'), ratioOf(all, 'throughput')]
    const better = cpu < 0.97 ? 'better' : cpu > 1.03 ? 'worse' : 'same'
    const hold = tried.flatMap((run) =>
      references.map(({ tier, capacity }) => holds(run.capacities.find((one) => one.tier === tier) ?? null, capacity)),
    )
    const meet = tried.flatMap((run) =>
      references.map(({ tier, within }) => {
        const one = run.capacities.find((each) => each.tier === tier)
        return !!one && one.low !== null && one.low <= within.high && within.low <= (one.high ?? Infinity)
      }),
    )
    const [first, second] = references.map(({ within }) => within) as [Reference['within'], Reference['within']]
    const isWrong = ({ finding, capacity }: Run) =>
      (['better', 'worse'].includes(finding) && finding !== better)
      || (capacity !== null && (capacity.low > second.high / first.low || capacity.high < second.low / first.high))
    const ranked = tried.filter(({ capacities: [first, second] }) => {
      const isApart = (second?.low ?? 0) > (first?.high ?? Infinity) || (first?.low ?? 0) > (second?.high ?? Infinity)
      const [before, after] = references.map(({ capacity }) => capacity ?? 0) as [number, number]
      return isApart && second!.rate > first!.rate !== after > before
    })
    type Ratio = 'cpu' | 'throughput'
    const middleOf = (of: Ratio) => (tried.length ? percent(middle(tried.map((run) => halfWidth(run[of])))) : '–')
    const inRange = (of: Ratio, value: number) => count(tried.map((run) => holds(run[of], value)))
    return `## ${workflow}

${cells('Reference', 'Sustains', 'Within', 'By each part', 'CPU of an execution when full, by part')}
| --- | --- | --- | --- | --- |
${references
  .map(({ tier, capacity, low, high, within, paces }) =>
    cells(
      tier,
      capacity === null ? 'not found' : `${figure(capacity)}/s`,
      `${figure(within.low)} to ${figure(within.high)}/s`,
      `${figure(low)} to ${figure(high)}/s`,
      paces.map((pace) => `${Math.round(1000 * pace)} ms`).join(', '),
    ),
  )
  .join('\n')}

${tiers[1]} ÷ ${tiers[0]}: CPU ${figure(cpu)}, throughput ${figure(throughput)}, capacity \
${figure((references[1]!.capacity ?? NaN) / (references[0]!.capacity ?? NaN))}.

${cells('Run', 'Minutes', 'Load average', ...tiers, 'CPU', 'Throughput', 'Finding')}
| --- | --- | --- |${tiers.map(() => ' --- |').join('')} --- | --- | --- |
${tried
  .map((run) => {
    const range = (one: Run['cpu']) => (one ? `${figure(one.ratio)} (${figure(one.low)} to ${figure(one.high)})` : '–')
    const sustained = tiers.map((tier) => {
      const one = run.capacities.find((each) => each.tier === tier)
      if (!one || one.low === null) return '–'
      return one.high === null
        ? `at least ${figure(one.low)}/s`
        : `${figure(one.rate)}/s (${figure(one.low)} to ${figure(one.high)})`
    })
    return cells(
      run.at.slice(0, 16).replace('T', ' '),
      run.minutes.toFixed(1),
      String(run.load),
      ...sustained,
      range(run.cpu),
      range(run.throughput),
      run.finding,
    )
  })
  .join('\n')}

- ${count(hold)} intervals hold the reference of their n8n, and ${count(meet)} meet what it is within.
- The ratio of CPU is in its range in ${inRange('cpu', cpu)}, ± ${middleOf('cpu')} at the median; that of \
throughput in ${inRange('throughput', throughput)}, ± ${middleOf('throughput')}.
- Findings that the reference contradicts: ${count(tried.map(isWrong))}. \
Ranked wrongly: ${count(tried.map((run) => ranked.includes(run)))}.
`
  })
  return `# Evidence: is the answer of \`make capacity\` right?

For readers who doubt its figures: runs of it, against a slow and sure measurement of the same two n8n ${tag}. The
machine is the same (${cpus()[0]!.model}, ${cpus().length} cores). With few answers at a rate the reference itself is
unsure, and then says little: 800 are meant. The reference comes in three parts, before,
between and after the runs. In each part both n8n are warmed by ${warm.executions} executions, filled in turns,
and then get four rates around their edge. The objective is p95 within ${objective / 1000} s. A reference is as
sure as its parts are alike.

*Within* is right 19 times in 20, as far as the steps of the reference differ from each other. A finding is contradicted
where the ratio of CPU of the reference says otherwise, and a multiple where its range meets none that the references
leave.

${told.join('\n')}
\`make bench-truth\`, ${new Date().toISOString().slice(0, 10)}
`
}

/** Before the runs, in their middle, and after them. */
for (const workflow of Number(runs) > 0 ? workflows : []) {
  const rates = new Map<string, number[]>()
  const middleRun = Math.ceil(Number(runs) / 2)
  const order = [...Array.from({ length: Number(runs) }, (_, nth) => nth)]
  const part = async (nth: number) => {
    const done = (await kept()).filter((one): one is Part => one.workflow === workflow && one.kind === 'part')
    for (const { did } of done)
      for (const tier of tiers)
        rates.set(tier, [...new Set(did.filter((one) => one.tier === tier).flatMap(({ rate }) => rate ?? []))])
    if (done.length > nth) return
    say(`${workflow}: part ${nth + 1} of the reference`)
    await keep(await measurePart(workflow, rates))
  }
  await part(0)
  for (const nth of order) {
    if (nth === middleRun) await part(1)
    const done = (await kept()).filter((one) => one.workflow === workflow && one.kind === 'run')
    if (done.length > nth) continue
    say(`${workflow}: run ${nth + 1} of ${runs}`)
    const run = await measureRun(workflow, nth)
    say(JSON.stringify(run))
    await keep(run)
  }
  // With one run there is none between.
  if (Number(runs) < 2) await part(1)
  await part(2)
}
const page = pageOf(await kept())
await writeFile(join(root, 'docs/evidence/truth.md'), page)
console.log(page)
