import { execIn, type Place } from '../exec.ts'
import { sayUntilInputEnds, untilInputEnds } from './until-input-ends.ts'

/** As clock.mjs reads it. */
const file = '/tmp/n8n-tuned-clock'
const hour = 3_600_000

/** Sets n8n's clock in a pod an hour ahead; the function sets it back. */
export async function moveClock(pod: Omit<Place, 'container'>): Promise<() => Promise<void>> {
  const place = { ...pod, container: 'n8n' }
  const end = await untilInputEnds(place, sayUntilInputEnds(String(hour), file))
  return async () => {
    await end()
    // The file outlives a container that was started again, and the script does not.
    await execIn(place, ['rm', '-f', file])
  }
}
