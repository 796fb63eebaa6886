import { fillDisks } from '../../../../../loadtests/src/targets/local/faults.ts'
import type { LocalPod } from '../../../../../loadtests/src/targets/local/pod.ts'

test('a pod on the machine’s disk does not have it filled, since others use that', async () => {
  await expect(fillDisks([{ name: 'postgresql-0' } as LocalPod])).rejects.toMatchObject({
    code: 'fault-needs-own-network',
  })
})
