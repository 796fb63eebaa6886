import { join } from 'node:path'
import { status, until } from '../await.ts'
import { errors } from '../errors.ts'
import { freePorts } from '../ports.ts'
import type { LoadResult } from '../load/result.ts'
import type { LoadStep } from '../load/step.ts'

export interface Calibration {
  rate: number
  p95: number
}

export interface CalibrationMeans {
  /** Starts a program on n8n's cores under a limit of one core. */
  start(argv: string[]): Promise<{ stop(): Promise<void> }>
  drive(step: LoadStep): Promise<LoadResult>
}

const clients = 8
const seconds = 4

/** What these cores can do without n8n, so that figures from two machines can be compared. */
export async function calibrate({ start, drive }: CalibrationMeans): Promise<Calibration> {
  const [port] = await freePorts(1)
  const url = `http://127.0.0.1:${port}/`
  const server = await start([process.execPath, join(import.meta.dirname, 'server.ts'), String(port)])
  try {
    if (!(await until(async () => (await status(url)) === 200, { timeout: 10_000, every: 50 }))) {
      throw errors.neverReady('the calibration server', 'it did not answer within 10 s', 'Run the command again on a quiet machine.', [])
    }
    const load = await drive({ url, method: 'GET', timeout: 5, duration: seconds, shape: { kind: 'closed', vus: clients } })
    return { rate: load.throughput, p95: load.latency?.p95 ?? 0 }
  } finally {
    await server.stop()
  }
}
