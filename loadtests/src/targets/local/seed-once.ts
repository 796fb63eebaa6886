import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Container } from '../../chart/plan.ts'
import type { Pod } from './pod.ts'
import { giveTo } from './user.ts'

/**
 * Importing takes n8n's command line several seconds, and every variant of a run begins with the same volume. So the
 * lab imports once and copies the volume. That works only if the volume holds all of n8n's data, as with SQLite.
 */
export async function seedOnce(
  seed: () => Promise<void>,
  pod: Pod,
  container: Container,
  contents: object,
  store: string,
): Promise<void> {
  const claim = pod.workload.volumes.find(({ kind }) => kind === 'claim')
  const { DB_TYPE = 'sqlite' } = container.env
  if (!claim || DB_TYPE !== 'sqlite') return seed()
  const volume = pod.volumes.get(claim.name)!
  const kept = join(store, keyOf(container, contents))
  if (existsSync(kept)) {
    await cp(kept, volume, { recursive: true })
    return giveTo(pod.owner, volume)
  }
  await seed()
  // The files hold n8n's key.
  await mkdir(store, { recursive: true, mode: 0o700 })
  // Community nodes belong to one plan: they may be links into its folders.
  await cp(volume, kept, { recursive: true, filter: (path) => relative(volume, path) !== 'nodes' })
}

const keyOf = ({ image, env }: Container, contents: object): string =>
  createHash('sha256')
    .update(JSON.stringify([image, env.N8N_ENCRYPTION_KEY ?? null, contents]))
    .digest('hex')
    .slice(0, 16)
