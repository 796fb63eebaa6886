import type { EditorsCost, EditorsSeen } from '../model/editors.ts'
import type { Result } from '../model/result.ts'
import type { Sample } from '../model/sample.ts'
import type { Gathered } from './gather.ts'
import { isStore, storeOf } from './roles.ts'
import { medianKnown, sum } from './statistics.ts'

interface Time {
  startedAt: number
  endedAt: number
}

/** What open editors cost, over the measured steps of a result; nothing where none were open. */
export function editorsOf(
  { steps, withoutEditors }: Pick<Gathered, 'steps' | 'withoutEditors'>,
  samples: Iterable<Sample>,
): Pick<Result, 'editors'> {
  const measured = steps.flatMap(({ purpose, editors, load }) =>
    purpose === 'measure' && editors ? [{ editors, load }] : [],
  )
  if (measured.length === 0) return {}
  const together = (of: 'lists' | 'saves') => asked(measured.map(({ editors }) => editors[of]))
  const p95 = medianKnown(withoutEditors.map((one) => one.p95))
  const editors: EditorsCost = {
    open: measured[0]!.editors.open,
    lists: together('lists'),
    saves: together('saves'),
    used: used(
      samples,
      measured.map(({ load }) => load),
    ),
    without: withoutEditors.length ? { p95, used: used(samples, withoutEditors) } : null,
  }
  return { editors }
}

const asked = (all: EditorsSeen['lists'][]): EditorsSeen['lists'] => ({
  asked: sum(all.map((one) => one.asked)),
  failed: sum(all.map(({ failed }) => failed)),
  p50: medianKnown(all.map(({ p50 }) => p50)),
  p95: medianKnown(all.map((one) => one.p95)),
})

/** The mean of each process, and of the processes the sum. */
function used(samples: Iterable<Sample>, times: Time[]): EditorsCost['used'] {
  const by = new Map<string, { cores: number; looks: number }>()
  for (const { at, cpu, process } of samples) {
    if (cpu === null || !times.some(({ startedAt, endedAt }) => at >= startedAt && at <= endedAt)) continue
    const { cores, looks } = by.get(process) ?? { cores: 0, looks: 0 }
    by.set(process, { cores: cores + cpu, looks: looks + 1 })
  }
  const cores = (is: (process: string) => boolean) => {
    const own = [...by].filter(([process]) => is(process)).map(([, seen]) => seen.cores / seen.looks)
    return own.length ? sum(own) : null
  }
  return {
    n8n: cores((process) => !isStore(process)),
    postgresql: cores((process) => storeOf(process) === 'postgresql'),
  }
}
