/** The CPU that this process uses while it measures: sampling and writing take CPU from what is measured. */
export interface OwnUse {
  during<T>(work: () => Promise<T>): Promise<T>
  /** Cores, on average over the whole measurement; null before its start. */
  cores(): number | null
}

export function watchOwnUse(): OwnUse {
  let used = 0
  let elapsed = 0
  return {
    async during(work) {
      const begun = performance.now()
      const before = process.cpuUsage()
      try {
        return await work()
      } finally {
        const { user, system } = process.cpuUsage(before)
        used += (user + system) / 1000
        elapsed += performance.now() - begun
      }
    },
    cores: () => (elapsed > 0 ? used / elapsed : null),
  }
}
