import { hostname } from 'node:os'

import type { IDataObject } from 'n8n-workflow'

/** The answer of every operation: what it did, how long that took, and where. `started` is from performance.now(). */
export function report(operation: string, started: number, done: IDataObject): { json: IDataObject } {
  return {
    json: {
      operation,
      ...done,
      tookMs: milliseconds(performance.now() - started),
      host: hostname(),
      pid: process.pid,
    },
  }
}

/** To the microsecond. */
export const milliseconds = (value: number) => Math.round(value * 1000) / 1000
