import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const MIB = 2 ** 20
/** More than any malloc keeps for itself after a free (glibc: 32 MiB), so that the system gets it back. */
const BUFFER_MIB = 64
/** V8 keeps an array's elements as 8 bytes each. */
const ELEMENTS_PER_MIB = MIB / 8

/** Allocates `mebibytes` outside the JavaScript heap, as files and network data do, and writes to every page of it. */
export function holdBuffers(mebibytes: number): unknown[] {
  const held: Buffer[] = []
  for (let left = mebibytes; left > 0; left -= BUFFER_MIB) {
    // Always the same size: pages that are not written take no memory.
    held.push(Buffer.allocUnsafeSlow(BUFFER_MIB * MIB).fill(1, 0, Math.floor(Math.min(left, BUFFER_MIB) * MIB)))
  }
  return held
}

/**
 * Allocates `mebibytes` on the JavaScript heap, as workflow data does: it counts towards the heap limit, and the
 * collector reads it.
 */
export function holdHeap(mebibytes: number): unknown[] {
  const held: number[][] = []
  for (let left = mebibytes; left > 0; left--) {
    held.push(new Array<number>(Math.floor(Math.min(left, 1) * ELEMENTS_PER_MIB)).fill(left))
  }
  return held
}

let collect: (() => void) | undefined

/** Frees it now, not when V8 needs room; this costs a full collection. */
export function release(held: unknown[]): void {
  held.length = 0
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
  }
  collect()
}
