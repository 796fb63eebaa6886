import type { Block, Section } from './document.ts'
import type { Page } from './page.ts'
import type { Summary } from '../model/summary.ts'
import type { Result } from '../model/result.ts'
import { count, duration, latency, memory } from '../lib/figures.ts'
import { namesOf } from './names.ts'

/** What an n8n in use has, and a new one has not: a full database, people with open editors, and schedules. */
export function inUse({ summary }: Page): Section | null {
  const table = (label: string, columns: string[], rows: string[][]): Block[] =>
    rows.length ? [{ kind: 'table', label, columns, rows }] : []
  const blocks = [
    ...table('What the database held before the load', historyHead, historyRows(summary)),
    ...table('What open editors cost', editorsHead, editorsRows(summary)),
    ...table('What scheduled workflows did', schedulesHead, schedulesRows(summary)),
  ]
  if (blocks.length === 0) return null
  return { id: 'in-use', title: 'As in use', evidence: true, on: ['terminal', 'markdown', 'html'], blocks }
}

export const historyHead = ['Workflow', 'Configuration', 'Executions', 'Database', 'Oldest', 'Seeded in']

export function historyRows({ results }: Summary): string[][] {
  const name = namesOf(results)
  return results.filter(hasHistory).map((result) => {
    const { executions, bytes, hours, took } = result.history
    return [
      result.workflow,
      name(result),
      count(executions),
      memory(bytes),
      `${count(Math.round(hours / 24))} days`,
      duration(took * 1000),
    ]
  })
}

export const editorsHead = [
  'Workflow',
  'Configuration',
  'Editors',
  'Callers, p95',
  'PostgreSQL',
  'n8n',
  'Lists, p50 / p95',
  'Lists that failed',
  'Saves, p95',
]

/** Without them, where that was looked at, and with them. */
export function editorsRows({ results }: Summary): string[][] {
  const name = namesOf(results)
  return results.filter(hasEditors).flatMap((result) => {
    const { open, lists, saves, used, without } = result.editors
    const of = [result.workflow, name(result)]
    return [
      ...(without
        ? [[...of, 'none', time(without.p95), cores(without.used.postgresql), cores(without.used.n8n), '–', '–', '–']]
        : []),
      [
        ...of,
        count(open),
        time(result.steps.findLast(({ editors }) => editors)?.load.latency?.p95 ?? null),
        cores(used.postgresql),
        cores(used.n8n),
        `${time(lists.p50)} / ${time(lists.p95)}`,
        `${count(lists.failed)} of ${count(lists.asked)}`,
        time(saves.p95),
      ],
    ]
  })
}

export const schedulesHead = [
  'Callers call',
  'Configuration',
  'Due each minute',
  'Late, p50 / p95 / last',
  'Missed',
  'Run twice',
  'Failed',
  'Callers’ executions beside them, p95',
  'At other times, p95',
]

export function schedulesRows({ results }: Summary): string[][] {
  const name = namesOf(results)
  return results.filter(hasSchedules).map((result) => {
    const { copies, due, missed, double, failed, late, callers } = result.schedules
    return [
      result.workflow,
      name(result),
      count(copies),
      [late.p50, late.p95, late.max].map(time).join(' / '),
      `${count(missed)} of ${count(copies * due)}`,
      count(double),
      count(failed),
      time(callers.beside),
      time(callers.otherwise),
    ]
  })
}

const time = (milliseconds: number | null) => (milliseconds === null ? '–' : latency(milliseconds))
const cores = (used: number | null) => (used === null ? '–' : `${used.toFixed(2)} cores`)

type With<Key extends 'history' | 'editors' | 'schedules'> = Result & Required<Pick<Result, Key>>
const hasHistory = (result: Result): result is With<'history'> => result.history !== undefined
const hasSchedules = (result: Result): result is With<'schedules'> => result.schedules !== undefined
const hasEditors = (result: Result): result is With<'editors'> => result.editors !== undefined
