import type { CallFrame, CpuProfile, HeapNode, HeapProfile } from '../../targets/profile.ts'
import { areaOf, isHttp, isIdle } from './area-of.ts'
import type { Area } from './areas.ts'

export type Amounts = Partial<Record<Area, number>>

/** The area of a stack so far: the innermost frame with an area decides. */
interface Stack {
  area: Area | null
  http: boolean
}

const emptyStack: Stack = { area: null, http: false }

const withFrame = (frame: CallFrame, above: Stack): Stack => ({
  area: areaOf(frame) ?? above.area,
  http: above.http || isHttp(frame),
})

const areaFrom = ({ area, http }: Stack): Area => area ?? (http ? 'http' : 'node')

/**
 * How many of V8's looks found each area at work. The code counts looks and not the times between them: where the
 * system holds a process back for its limit, one look would get all of that pause.
 */
export function looksByArea({ nodes, samples }: CpuProfile): Amounts {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const areaById = new Map<number, Area | null>()
  const roots = new Set(nodes.map(({ id }) => id))
  for (const { children = [] } of nodes) for (const child of children) roots.delete(child)
  const visit = (id: number, above: Stack) => {
    const { callFrame, children = [] } = byId.get(id)!
    const stack = withFrame(callFrame, above)
    areaById.set(id, isIdle(callFrame) ? null : areaFrom(stack))
    for (const child of children) visit(child, stack)
  }
  for (const root of roots) visit(root, emptyStack)
  const amounts: Amounts = {}
  for (const id of samples) add(amounts, areaById.get(id) ?? null, 1)
  return amounts
}

/** Bytes that each area allocated, by samples. */
export function bytesByArea({ head }: HeapProfile): Amounts {
  const amounts: Amounts = {}
  const visit = ({ callFrame, selfSize, children }: HeapNode, above: Stack) => {
    const stack = withFrame(callFrame, above)
    add(amounts, areaFrom(stack), selfSize)
    for (const child of children) visit(child, stack)
  }
  visit(head, emptyStack)
  return amounts
}

export function add(amounts: Amounts, area: Area | null, amount: number): void {
  if (area !== null && amount > 0) amounts[area] = (amounts[area] ?? 0) + amount
}
