/** One of some who do the same at once. */
export interface Companion {
  /** Resolves when all who are still there have come as far. */
  together(): Promise<void>
  /** Nobody waits for it any more. */
  leave(): void
}

export function companions(count: number): Companion[] {
  let present = count
  let waiting: (() => void)[] = []
  const goOn = () => {
    if (waiting.length < present) return
    const all = waiting
    waiting = []
    for (const go of all) go()
  }
  return Array.from({ length: count }, () => ({
    together: () => new Promise<void>((go) => {
      waiting.push(go)
      goOn()
    }),
    leave() {
      present--
      goOn()
    },
  }))
}
