/**
 * How many requests may be under way at somebody else's n8n. Its other callers wait behind those of the lab, so there
 * are only as many as it works on at a time. Further ones wait in the generator, where they harm nobody.
 */

/**
 * While requests wait for room. There is more of it where answers take no longer on average than this many times the
 * usual. There is less where even the quickest does: then each waits behind another one of the lab.
 */
const slower = { more: 1.25, less: 1.1 }
/** Answers that are looked at together: one by itself may be slow by chance. */
const together = 8

export interface Room {
  /** Requests that may be under way now. */
  size(): number
  /** An answer took so many milliseconds, while others waited for room or not. */
  answered(taken: number, othersWait: boolean): void
}

/** `usual`: milliseconds of an answer while the load is low; null while that is unknown. */
export function roomFor({ usual, least, most }: { usual: number | null; least: number; most: number }): Room {
  let size = usual === null ? most : Math.min(most, least + 1)
  let tooMany = Infinity
  let last: number[] = []
  function become(other: number): void {
    size = other
    last = []
  }
  return {
    size: () => size,
    answered(taken, othersWait) {
      if (usual === null) return
      last = [...last, taken].slice(-together)
      if (last.length < together || !othersWait) return
      const mean = last.reduce((sum, one) => sum + one, 0) / together
      if (Math.min(...last) > slower.less * usual && size > least) {
        tooMany = size
        become(size - 1)
      } else if (mean <= slower.more * usual && size + 1 < Math.min(tooMany, most + 1)) become(size + 1)
    },
  }
}
