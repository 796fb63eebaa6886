import { readFile, realpath } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { execa } from 'execa'
import { byName } from '../../lib/json.ts'
import type { Image, User } from '../../chart/plan.ts'
import { paths } from '../../lib/paths.ts'
import { installN8n } from '../../n8n/install.ts'
import type { Order } from '../target.ts'
import { usage } from '../../lib/errors.ts'
import { findProgram } from './programs.ts'

const images = byName<(image: Image, order: ImageOrder) => Promise<LocalImage>>({
  n8n,
  runners,
  redis,
  postgres: postgresqlImage,
})

/** By the last part of its name, because a private registry holds the same images. */
export async function localImage(image: Image, order: ImageOrder): Promise<LocalImage> {
  const make = images[image.repository.split('/').at(-1)!]
  if (!make) throw unknownImage(image, Object.keys(images))
  return make(image, order)
}

export const unknownImage = ({ repository }: Image, known: string[]) =>
  usage(
    'not-on-this-target',
    `Expected a plan that runs on one machine, got the image ${repository}.`,
    `On one machine the lab knows ${known.join(', ')}; give the others in a cluster.`,
  )

/** What an image stands for on a machine without containers: a program and its environment. */
export interface LocalImage {
  entrypoint: string[]
  env: Record<string, string>
  /** The ports it listens on by default, by the variable that changes each. */
  listens: Record<string, number>
  /** The user who runs it, where that must not be the user who runs the lab. */
  user: User | null
  /** Whether it is n8n itself, or a store that n8n needs before it can start. */
  kind: 'n8n' | 'postgresql' | 'redis'
  /** Variables that override those of the plan. */
  forced?: Record<string, string>
  /** Its name for a container runtime. */
  id?: string
  /** Folders of this project that its containers see, by path. */
  binds?: Record<string, string>
}

export type { User }

export type ImageOrder = Pick<Order, 'signal' | 'onProgress'>

export const n8nListens = { N8N_PORT: 5678, QUEUE_HEALTH_CHECK_PORT: 5678, N8N_RUNNERS_BROKER_PORT: 5679 }
/** A pod has its own network, but processes here share the machine's. */
export const n8nOn = (address: string) => ({ N8N_LISTEN_ADDRESS: address, N8N_WORKER_SERVER_ADDRESS: address })
export const n8nOnLoopback = n8nOn('127.0.0.1')

export async function n8n(image: Image, order: ImageOrder): Promise<LocalImage> {
  const folder = await installN8n(image, order)
  const bin = join(folder, 'node_modules/.bin')
  return {
    kind: 'n8n',
    entrypoint: [join(bin, 'node'), join(folder, 'node_modules/n8n/bin/n8n')],
    env: { NODE_ENV: 'production', PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, LANG: 'C.UTF-8', ...n8nOnLoopback },
    listens: n8nListens,
    user: null,
  }
}

/** The task runner of the same n8n version, started in the same way as by the image's launcher. */
async function runners(image: Image, order: ImageOrder): Promise<LocalImage> {
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

/** The machine's own Redis, which listens on loopback only. */
async function redis({ repository }: Image): Promise<LocalImage> {
  const server = await findProgram('redis-server', `the image ${repository}`)
  const client = await findProgram('redis-cli', `the image ${repository}`)
  return {
    kind: 'redis',
    entrypoint: ['redis-server'],
    env: { PATH: [paths.redisOnLoopback, dirname(client), '/usr/bin', '/bin'].join(delimiter), REDIS_SERVER: server },
    listens: { REDIS_PORT: 6379 },
    user: null,
  }
}

/** The machine's own PostgreSQL, with the steps from the official image's start that create the database. */
export async function postgresqlImage({ repository }: Image): Promise<LocalImage> {
  // The link on PATH may be for one program only; its folder has the others.
  const program = await realpath(await findProgram('initdb', `the image ${repository}`))
  return {
    kind: 'postgresql',
    // As text, because the user of PostgreSQL may not read this project's folder.
    entrypoint: ['/bin/sh', '-c', await readFile(paths.postgresqlEntrypoint, 'utf8'), 'postgresql'],
    env: { PATH: [dirname(program), '/usr/bin', '/bin'].join(delimiter), LANG: 'C.UTF-8' },
    listens: { PGPORT: 5432 },
    user: process.getuid?.() === 0 ? await somebodyElse() : null,
  }
}

/** PostgreSQL refuses to run as root. */
async function somebodyElse(): Promise<User> {
  const { stdout, failed } = await execa('id', ['postgres'], { reject: false })
  const [, uid, gid] = /uid=(\d+).* gid=(\d+)/.exec(failed ? '' : stdout) ?? []
  return uid ? { uid: Number(uid), gid: Number(gid) } : { uid: 65534, gid: 65534 }
}
