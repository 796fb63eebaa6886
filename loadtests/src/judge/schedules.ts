import type { Result } from '../model/result.ts'
import type { SchedulesSeen } from '../model/schedules.ts'
import type { Step } from '../model/step.ts'
import { medianKnown, sum } from './statistics.ts'

/** What scheduled workflows did, over the measured steps of a result; nothing where none were asked for. */
export function schedulesOf(steps: Step[]): Pick<Result, 'schedules'> {
  const all = steps.flatMap(({ purpose, schedules }) => (purpose === 'measure' && schedules ? [schedules] : []))
  const [first] = all
  if (!first) return {}
  const total = (of: (one: SchedulesSeen) => number) => sum(all.map(of))
  const middle = (of: (one: SchedulesSeen) => number | null) => medianKnown(all.map(of))
  const latest = all.flatMap(({ late }) => late.max ?? [])
  return {
    schedules: {
      copies: first.copies,
      due: total(({ due }) => due),
      ran: total(({ ran }) => ran),
      missed: total(({ missed }) => missed),
      double: total(({ double }) => double),
      failed: total(({ failed }) => failed),
      open: total(({ open }) => open),
      late: {
        p50: middle(({ late }) => late.p50),
        p95: middle(({ late }) => late.p95),
        max: latest.length ? Math.max(...latest) : null,
      },
      callers: {
        beside: middle(({ callers }) => callers.beside),
        otherwise: middle(({ callers }) => callers.otherwise),
      },
    },
  }
}
