import { readFile } from 'node:fs/promises'
import type { CpuProfile, HeapProfile, ProcessProfile } from '../../profile.ts'
import { openInspector } from './inspector.ts'
import { between, timesOf } from './times.ts'

/** Microseconds between two looks at the main thread, and bytes between two samples of allocation. */
const looks = { interval: 1000 }
const allocations = {
  samplingInterval: 2 ** 17,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
}

/** A container whose first process is n8n. */
export interface Subject {
  pid: number
  /** Where its inspector listens once it is open. */
  inspector: string
  pids(): Promise<number[]>
  cpuSeconds(): Promise<number>
}

/** Begins to profile a process; returns a function that ends it and returns the profile. */
export async function profileProcess({
  pid,
  inspector: address,
  pids,
  cpuSeconds,
}: Subject): Promise<() => Promise<ProcessProfile>> {
  const inspector = await openInspector(pid, address)
  const look = async () => {
    const [counted, times] = await Promise.all([cpuSeconds(), pids().then((all) => timesOf(pid, all))])
    return { at: performance.now(), counted, times }
  }
  await inspector.ask('Profiler.enable')
  await inspector.ask('Profiler.setSamplingInterval', looks)
  await inspector.ask('HeapProfiler.startSampling', allocations)
  await inspector.ask('Profiler.start')
  const before = await look()
  return async () => {
    const after = await look()
    const { profile: cpu } = await inspector.ask<{ profile: CpuProfile }>('Profiler.stop')
    const { profile: heap } = await inspector.ask<{ profile: HeapProfile }>('HeapProfiler.stopSampling')
    inspector.close()
    return {
      elapsed: (after.at - before.at) / 1000,
      counted: after.counted - before.counted,
      ...between(before.times, after.times),
      natives: await nativesOf(pid),
      cpu,
      heap,
    }
  }
}

async function nativesOf(pid: number): Promise<string[]> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8')
  return [...new Set(maps.match(/\/\S+\.node$/gm) ?? [])]
}
