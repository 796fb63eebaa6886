import { readFile } from 'node:fs/promises'
import { execa } from 'execa'
import { byName } from '../../../lib/json.ts'
import type { Image } from '../../../chart/plan.ts'
import { invalid, isInvalid } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { endAtExit, killGroup } from '../../../lib/processes.ts'
import { progressWords } from '../../../report/progress-words.ts'
import { type ImageOrder, type LocalImage, n8nListens, n8nOnLoopback, unknownImage } from '../images.ts'
import type { Runtime } from './runtime.ts'

type Known = Omit<LocalImage, 'id'>

/** Containers of a plan share this machine's network, so each must listen on loopback only. */
const known = byName<() => Promise<Known>>({
  n8n: async () => ({ kind: 'n8n', entrypoint: [], env: n8nOnLoopback, listens: n8nListens, user: null }),
  redis: async () => ({
    kind: 'redis',
    entrypoint: [],
    env: { PATH: '/opt/n8n-tuned:/usr/local/bin:/usr/bin:/bin', REDIS_SERVER: '/usr/local/bin/redis-server' },
    listens: { REDIS_PORT: 6379 },
    user: null,
    binds: { '/opt/n8n-tuned': paths.redisOnLoopback },
  }),
  postgres: async () => ({
    kind: 'postgresql',
    entrypoint: ['/bin/sh', '-c', await readFile(paths.postgresqlEntrypoint, 'utf8'), 'postgresql'],
    env: { LANG: 'C.UTF-8' },
    listens: { PGPORT: 5432 },
    user: null,
  }),
})

/** The plan's own image, which the runtime pulls if it does not have it. */
export async function containerImage(image: Image, runtime: Runtime, order: ImageOrder): Promise<LocalImage> {
  const make = known[image.repository.split('/').at(-1)!]
  if (!make) throw unknownImage(image, Object.keys(known))
  return { ...(await make()), id: await idOf(`${image.repository}:${image.tag}`, runtime, order) }
}

/** Those of the images that are not here and cannot be pulled, or of which the lab does not know what they run. */
export async function imagesMissing(runtime: Runtime, images: string[], order: ImageOrder): Promise<string[]> {
  const missing: string[] = []
  for (const image of new Set(images)) {
    const [name = ''] = image.split('@')
    const isKnown =
      name
        .replace(/:[^:/]*$/, '')
        .split('/')
        .at(-1)! in known
    const isHere = isKnown && (await idOf(name, runtime, order).catch(onlyUnavailable)) !== null
    if (!isHere) missing.push(image)
  }
  return missing
}

function onlyUnavailable(error: unknown): null {
  if (isInvalid(error)) return null
  throw error
}

/** Those of the images that the runtime would have to pull. */
export async function imagesToPull({ program }: Runtime, images: string[]): Promise<string[]> {
  const all = [...new Set(images)]
  const here = await Promise.all(all.map((name) => presentId(program, name)))
  return all.filter((_, index) => here[index] === null).map(qualified)
}

async function presentId(program: string, reference: string): Promise<string | null> {
  const { stdout, failed } = await execa(program, ['image', 'inspect', '--format', '{{.Id}}', reference], {
    reject: false,
  })
  return failed ? null : stdout.trim()
}

async function idOf(name: string, { program }: Runtime, order: ImageOrder): Promise<string> {
  const present = (reference: string) => presentId(program, reference)
  const here = await present(name)
  if (here) return here
  await pull(qualified(name), program, order)
  return (await present(qualified(name)))!
}

async function pull(reference: string, program: string, { signal, onProgress }: ImageOrder): Promise<void> {
  onProgress(progressWords.pulls(reference))
  const running = execa(program, ['pull', '--quiet', reference], { reject: false, lines: true, detached: true })
  endAtExit(running.pid)
  const abort = () => killGroup(running.pid)
  signal.addEventListener('abort', abort)
  const { failed, stderr } = await running
  signal.removeEventListener('abort', abort)
  signal.throwIfAborted()
  if (failed)
    throw invalid(
      'image-unavailable',
      `Expected to run ${reference}, but it is not here and could not be pulled.`,
      'Check image.repository and image.tag, or load the image into the runtime first.',
      stderr.slice(-5),
    )
}

/** The full name, as Kubernetes would resolve it: Podman may not know what a short name stands for. */
export function qualified(name: string): string {
  const [first = '', ...rest] = name.split('/')
  const registry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  return registry ? name : `docker.io/${rest.length > 0 ? name : `library/${name}`}`
}
