/** Where one of several that are measured side by side waits for the others. */
export interface Barrier {
  /** Resolves when all who are still there have come as far. */
  waitForOthers(): Promise<void>
  /** Nobody waits for it any more. */
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
