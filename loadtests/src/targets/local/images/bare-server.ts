import { dirname, delimiter } from 'node:path'
import type { Image } from '../../../chart/plan.ts'
import { paths } from '../../../lib/paths.ts'
import type { LocalImage } from './image.ts'

/** The lab's own server, which runs on the lab's own Node. */
export async function bareServer(_: Image): Promise<LocalImage> {
  return {
    kind: 'server',
    entrypoint: [process.execPath, '--no-warnings', paths.baseline],
    env: { NODE_ENV: 'production', PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) },
    listens: {},
    user: null,
    members({ env }) {
      const workers = Number(env.CLUSTER)
      if (workers === 0) return []
      return [
        { name: 'master', serves: false },
        ...Array.from({ length: workers }, (_, index) => ({ name: `worker-${index + 1}`, serves: true })),
      ]
    },
  }
}
