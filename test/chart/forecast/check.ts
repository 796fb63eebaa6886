/**
 * What the chart's rules forecast of made histories, evaluated by Prometheus' own code. With growth, the interval has
 * to hold the week in which capacity is reached. Without, nothing may be told, on no day.
 *
 * Usage: node test/chart/forecast/check.ts CHART [SEED]
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { histories, type History } from './histories.ts'

interface Told {
  bounds: Partial<Record<'early' | 'expected' | 'late', number>>
  fired: boolean
}

const [chart = '', seed = '1'] = process.argv.slice(2)
const capacity = 100
/** Of sixty. Each interval is to hold its week 19 times in 20. */
const least = 54
const ours = 'namespace="flows", release="n8n"'
const asked = {
  bounds: `n8n_tuned:out_of_capacity:weeks{${ours}}`,
  fired: 'count_over_time(ALERTS{alertname="N8nOutOfCapacityIn", alertstate="firing"}[1y])',
}

const made = histories(Number(seed))
const answers = read(evaluate(made))
const rows = made.map((one, index) => ({ ...one, told: answers[index]!, right: isRight(one, answers[index]!) }))
for (const { name, reached, told, right } of rows)
  console.log(`${right ? 'right' : 'WRONG'}  ${name.padEnd(34)} ${reached ?? 'never'}: ${words(told)}`)
const right = rows.filter((row) => row.right).length
const talked = rows.filter((row) => row.reached === null && !row.right).length
console.log(`${right} of ${rows.length} are right. Of those without growth, ${talked} were not left alone.`)
if (right < least || talked > 0) {
  console.error(`test/chart/forecast/check.ts: Expected ${least} to be right, and silence without growth.`)
  process.exitCode = 1
}

function isRight({ reached }: History, { bounds: { early, late }, fired }: Told): boolean {
  if (reached === null) return early === undefined && !fired
  // The line may meet capacity within a week, and the week's busiest hour is known at its end.
  return early !== undefined && late !== undefined && early <= reached && reached <= Math.ceil(late)
}

function words({ bounds: { early, expected, late }, fired }: Told): string {
  const told =
    expected === undefined ? 'nothing' : `${expected.toFixed(1)} weeks, ${early!.toFixed(1)} to ${late!.toFixed(1)}`
  return told + (fired ? ', alert' : '')
}

/** promtool prints what it got if that is not what it expected, so it is made to expect something else. */
function evaluate(all: History[]): string {
  const work = mkdtempSync(join(tmpdir(), 'forecast-'))
  try {
    writeFileSync(join(work, 'rules.json'), JSON.stringify({ groups: groups() }))
    writeFileSync(join(work, 'test.json'), JSON.stringify(testOf(all)))
    const { stdout, stderr, error } = spawnSync('promtool', ['test', 'rules', join(work, 'test.json')], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    if (error) throw error
    return stdout + stderr
  } finally {
    rmSync(work, { recursive: true })
  }
}

interface Group {
  name: string
  rules: { record?: string; alert?: string }[]
}

/** The rules as rendered, but for the alerts that are not asked about. */
function groups(): Group[] {
  const values = {
    executions: { mode: 'queue' },
    database: { type: 'embedded' },
    monitoring: { enabled: true, rules: { enabled: true } },
    capacity: { rate: capacity },
  }
  const text = execFileSync(
    'helm',
    ['template', 'n8n', chart, '--namespace=flows', '--show-only=templates/monitoring/rules.yaml', '--values=-'],
    { input: JSON.stringify(values), encoding: 'utf8' },
  )
  const { spec } = parse(text) as { spec: { groups: Group[] } }
  return spec.groups.map(({ name, rules }) => ({
    name,
    rules: rules.filter(
      ({ record, alert }) => /executions|growth|out_of/.test(record ?? '') || alert === 'N8nOutOfCapacityIn',
    ),
  }))
}

function testOf(all: History[]): object {
  return {
    rule_files: ['rules.json'],
    // Each hour would take ten minutes. The busiest hour of a made day ends at noon.
    evaluation_interval: '6h',
    tests: all.map(({ name, weeks, hours }) => ({
      name,
      interval: '30m',
      input_series: [{ series: `n8n_workflow_started_total{${ours}, role="webhook"}`, values: counted(hours) }],
      promql_expr_test: Object.values(asked).map((expr) => ({
        expr,
        eval_time: `${weeks}w`,
        exp_samples: [{ labels: '{other="this"}', value: 0 }],
      })),
    })),
  }
}

/** A counter of executions, read each half hour. */
function counted(hours: number[]): string {
  let sum = 0
  const values = hours.flatMap((share) => [1, 2].map(() => (sum += share * capacity * 1800).toFixed(0)))
  return ['0', ...values].join(' ')
}

/** In the order of the questions, two for each history. */
function read(text: string): Told[] {
  const got = [...text.matchAll(/^ +got: ?(.*)$/gm)].map(([, one]) => one!)
  if (got.length !== 2 * made.length) throw new Error(`Expected ${2 * made.length} answers, got ${text.slice(0, 2000)}`)
  return made.map((_, index) => ({
    bounds: Object.fromEntries(
      [...got[2 * index]!.matchAll(/bound="(\w+)"[^}]*} ([^,\s]+)/g)].map(([, bound, value]) => [bound, Number(value)]),
    ) as Told['bounds'],
    fired: got[2 * index + 1] !== 'nil',
  }))
}
