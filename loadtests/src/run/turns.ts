/**
 * Several n8n are up at once, and one of them is loaded at a time: A B B A A B … A machine that changes its pace
 * changes it for all of them alike, so what differs is n8n.
 */

/** One n8n's place among them. */
export interface Turns {
  /**
   * Resolves when its next turn begins, with the number of the turn; its last one is over. In turn 0 each warms up,
   * once all are up.
   */
  take(): Promise<number>
  /** It takes no more turns: the others no longer wait for it. */
  leave(): void
}

export function inTurns(count: number): Turns[] {
  const present = new Set(Array.from({ length: count }, (_, member) => member))
  const waiting = new Map<number, (turn: number) => void>()
  let turn = 0
  let toCome = [...present]
  let holder: number | null = null
  const goOn = () => {
    if (holder !== null || present.size === 0) return
    if (toCome.length === 0) {
      turn++
      toCome = turn % 2 ? [...present] : [...present].toReversed()
    }
    // While one of them starts, it takes CPU from the others, so none begins before all are up.
    if (turn === 0 && waiting.size < toCome.length) return
    const [next] = toCome as [number]
    const go = waiting.get(next)
    if (!go) return
    toCome.shift()
    waiting.delete(next)
    holder = next
    go(turn)
  }
  const end = (member: number) => {
    if (holder === member) holder = null
  }
  return [...present].map((member) => ({
    take: () =>
      new Promise<number>((go) => {
        end(member)
        waiting.set(member, go)
        goOn()
      }),
    leave() {
      end(member)
      present.delete(member)
      toCome = toCome.filter((one) => one !== member)
      goOn()
    },
  }))
}
