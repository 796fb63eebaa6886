import { join } from 'node:path'
import type { Image } from '../../../chart/plan.ts'
import { paths } from '../../../lib/paths.ts'
import type { ImageOrder, LocalImage } from './image.ts'
import { installN8n } from './n8n.ts'

/** The task runner of the same n8n version, started in the same way as by the image's launcher. */
export async function runners(image: Image, order: ImageOrder): Promise<LocalImage> {
  const modules = join(await installN8n({ ...image, repository: 'n8nio/n8n' }, order), 'node_modules')
  return {
    kind: 'n8n',
    entrypoint: [
      join(modules, '.bin/node'),
      '--disallow-code-generation-from-strings',
      '--disable-proto=delete',
      paths.taskRunner,
    ],
    env: {
      NODE_ENV: 'production',
      PATH: '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      TASK_RUNNER: join(modules, '@n8n/task-runner/dist/start.js'),
    },
    listens: {},
    user: null,
  }
}
