import { openInspector } from './inspector.ts'

/** Bytes in the heap of a Node process after a full garbage collection: what it keeps. */
export async function keptHeapOf(pid: number, address: string): Promise<number> {
  const inspector = await openInspector(pid, address)
  try {
    await inspector.ask('HeapProfiler.collectGarbage')
    const { usedSize } = await inspector.ask<{ usedSize: number }>('Runtime.getHeapUsage')
    return usedSize
  } finally {
    inspector.close()
  }
}
