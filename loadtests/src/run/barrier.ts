/** A point where cells that are measured side by side wait for each other. */
export interface Barrier {
  /** Resolves when all cells that still run have reached it. */
  waitForOthers(): Promise<void>
  /** This cell ends: the others no longer wait for it. */
  leave(): void
}

export function barriers(count: number): Barrier[] {
  let present = count
  let waiting: (() => void)[] = []
  const goOn = () => {
    if (waiting.length < present) return
    const all = waiting
    waiting = []
    for (const go of all) go()
  }
  return Array.from({ length: count }, () => ({
    waitForOthers: () =>
      new Promise<void>((go) => {
        waiting.push(go)
        goOn()
      }),
    leave() {
      present--
      goOn()
    },
  }))
}
