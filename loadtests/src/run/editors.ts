import { setTimeout } from 'node:timers/promises'
import { quantileSorted } from 'simple-statistics'
import type { Fail } from '../lib/repeat.ts'
import type { EditorsSeen } from '../model/editors.ts'
import { openEditor, type Editor } from '../n8n/editor.ts'

/** Editors that are open beside a load. They run in the lab's process, and not in the generator's. */
export interface Editors {
  /** Opens or closes all of them. Resolves once they are, and nothing of theirs is under way. */
  awake(isAwake: boolean): Promise<void>
  /** What they asked for during that time. */
  during(time: { startedAt: number; endedAt: number }): EditorsSeen
}

/** Milliseconds, as n8n's own: the list of executions again so long after each answer, and at last this. */
const usual = { executions: 4000, workflows: 60_000, saves: 30_000, patience: 30_000 }

interface Asked {
  at: number
  what: 'list' | 'workflows' | 'save'
  took: number
  failed: boolean
}

export async function openEditors(
  url: string,
  open: number,
  signal: AbortSignal,
  fail: Fail,
  polls = usual,
): Promise<Editors> {
  const editor = await openEditor(url, signal)
  const asked: Asked[] = []
  let closing: AbortController | null = null
  let under: Promise<unknown> = Promise.resolve()

  async function ask(what: Asked['what'], request: Editor['save']): Promise<void> {
    const at = Date.now()
    const began = performance.now()
    const failed = await request(AbortSignal.any([signal, AbortSignal.timeout(polls.patience)])).then(
      () => false,
      () => true,
    )
    asked.push({ at, what, took: performance.now() - began, failed })
  }

  /** Again and again, until it is closed. The first comes at its own moment, as people come. */
  async function again(closed: AbortSignal, every: number, work: () => Promise<void>): Promise<void> {
    let pause = every * Math.random()
    while (await setTimeout(pause, true, { signal: closed }).catch(() => false)) {
      await work()
      pause = every
    }
  }

  async function sit(number: number, closed: AbortSignal): Promise<void> {
    const hangUp = editor.listen()
    try {
      await Promise.all([
        again(closed, polls.executions, () => ask('list', editor.listExecutions)),
        again(closed, polls.workflows, () => ask('workflows', editor.listWorkflows)),
        // One of them saves now and then.
        ...(number === 0 ? [again(closed, polls.saves, () => ask('save', editor.save))] : []),
      ])
    } finally {
      hangUp()
    }
  }

  return {
    async awake(isAwake) {
      if (isAwake === (closing !== null)) return
      if (!isAwake) {
        closing!.abort()
        closing = null
        return void (await under)
      }
      closing = new AbortController()
      const closed = AbortSignal.any([signal, closing.signal])
      under = Promise.all(Array.from({ length: open }, (_, number) => sit(number, closed))).catch(fail)
    },
    during: ({ startedAt, endedAt }) =>
      seenOf(
        open,
        asked.filter(({ at }) => at >= startedAt && at <= endedAt),
      ),
  }
}

/** What was asked for, in figures; null where nothing was. */
export function seenOf(open: number, asked: Asked[]): EditorsSeen {
  const of = (what: Asked['what']) => {
    const own = asked.filter((one) => one.what === what)
    const took = own.map((one) => one.took).toSorted((a, b) => a - b)
    const at = (share: number) => (took.length ? quantileSorted(took, share) : null)
    return { asked: own.length, failed: own.filter(({ failed }) => failed).length, p50: at(0.5), p95: at(0.95) }
  }
  return { open, lists: of('list'), workflows: of('workflows'), saves: of('save') }
}
