import { generatorFull } from '../../judge/generator.ts'
import type { LoadResult } from '../../model/load-result.ts'
import type { PlannedStep } from '../../model/step.ts'

interface Calibration {
  rate: number
  p95: number
  /** Requests a second that would fill the generator's cores, with nothing else on them; absent where unknown. */
  most?: number
}

export interface CalibrationMeans {
  /** Starts the bare handler (server.ts) in the place of n8n, under a limit of one core. */
  start(): Promise<{ url: string; stop(): Promise<void> }>
  drive(step: PlannedStep): Promise<LoadResult>
}

const clients = 8
const seconds = 3

/** What these cores can do without n8n, so that figures from two machines can be compared. */
export async function calibrate({ start, drive }: CalibrationMeans): Promise<Calibration> {
  const server = await start()
  try {
    const load = await drive({
      url: server.url,
      method: 'GET',
      timeout: 5,
      duration: seconds,
      shape: { kind: 'closed', vus: clients },
    })
    const busy = load.coresBusy ?? load.generatorCpu
    return {
      rate: load.throughput,
      p95: load.latency?.p95 ?? 0,
      ...(busy && { most: (generatorFull * load.throughput) / busy }),
    }
  } finally {
    await server.stop()
  }
}
