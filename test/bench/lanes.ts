export interface Lanes<T> {
  /** Tasks at once. */
  most: number
  /** Requests a second in sum, unless a task is alone. */
  rate: number
  rateOf: (task: T) => number
}

/** Runs tasks side by side while their rates leave room, in the order given; returns their results in that order. */
export async function inLanes<T, R>(tasks: T[], run: (task: T) => Promise<R>, lanes: Lanes<T>): Promise<R[]> {
  const results: Promise<R>[] = []
  const under = new Map<Promise<R>, number>()
  for (const task of tasks) {
    const rate = lanes.rateOf(task)
    const used = () => [...under.values()].reduce((sum, each) => sum + each, 0)
    while (under.size >= lanes.most || (under.size > 0 && used() + rate > lanes.rate)) await Promise.race(under.keys())
    const result = run(task)
    under.set(result, rate)
    results.push(result)
    void result.finally(() => under.delete(result)).catch(() => undefined)
  }
  return Promise.all(results)
}
