import type { Place } from '../exec.ts'
import { dataFolder, sidecar } from './store-pod.ts'
import { begun, untilInputEnds } from './until-input-ends.ts'

/** Takes all room on the disk, and what the store then gives back, until its own input ends. */
export const fillUntilInputEnds = (folder: string) => `
fill() { cat /dev/zero >>"${folder}/full" 2>/dev/null; }
fill
echo ${begun}
while sleep 0.2; do fill; done & again=$!
read -r forever
kill $again
wait $again
rm "${folder}/full"`

/** Leaves no room on the disk of a store's pod; the function gives the room back. */
export const fillDisk = (pod: Omit<Place, 'container'>): Promise<() => Promise<void>> =>
  untilInputEnds({ ...pod, container: sidecar }, fillUntilInputEnds(dataFolder))
