import type { Place } from '../exec.ts'
import { networkState, sidecar } from './store-pod.ts'
import { sayUntilInputEnds, untilInputEnds } from './until-input-ends.ts'

/** The network between n8n and a store's pod fails; the function mends it. */
export const failNetwork = (how: 'cut-off' | 'lossy', pod: Omit<Place, 'container'>): Promise<() => Promise<void>> =>
  untilInputEnds({ ...pod, container: sidecar }, sayUntilInputEnds(how, networkState))
