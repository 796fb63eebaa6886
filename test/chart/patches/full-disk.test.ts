import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { until } from '../../../loadtests/src/lib/await.ts'
import { mountOwnDisk } from '../../../loadtests/src/targets/local/faults.ts'
import type { OwnDisk } from '../../../loadtests/src/targets/local/pod.ts'
import { noise, startCountedWork, type CountedWork } from '../../support/counted-work.ts'
import { startN8n, type N8n } from '../../support/n8n.ts'
import { everyPatch, patchFiles } from '../../support/patch-files.ts'
import { postgresqlEnv, startPostgresql, type PostgresqlServer } from '../../support/postgresql.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'
import { startStuckSidecar } from '../../support/stuck-sidecar.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/**
 * n8n in queue mode with every patch, while the disk of its PostgreSQL is full. No patch waits for room, however long
 * that takes: what PostgreSQL refuses fails at once. Only root can mount a disk: others skip this, by name.
 */

const ifRoot = process.getuid?.() === 0 ? describe : describe.skip
const folder = temporaryFolder()
const patient = { timeout: 60_000, every: 100 }

ifRoot('a full disk of PostgreSQL', () => {
  let place: string
  let disk: OwnDisk
  let redis: RedisServer
  let postgresql: PostgresqlServer
  let database: pg.Client
  let work: CountedWork
  let n8n: N8n

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'n8n-tuned-disk-'))
    // PostgreSQL runs as another user.
    chmodSync(place, 0o711)
    disk = await mountOwnDisk(place, process.pid)
    redis = await startRedis()
    postgresql = await startPostgresql(['-c', 'fsync=off'], place)
    // From before: PostgreSQL may refuse new connections while its disk is full.
    const { port, password } = postgresql
    database = new pg.Client({ host: '127.0.0.1', port, password, user: 'n8n', database: 'n8n' })
    await database.connect()
    // The end of an execution needs more room than pages have left.
    work = await startCountedWork(folder, 100_000)
    n8n = await startN8n('2.41.1', [work.workflow], {
      env: {
        EXECUTIONS_MODE: 'queue',
        QUEUE_BULL_REDIS_HOST: '127.0.0.1',
        QUEUE_BULL_REDIS_PORT: String(redis.port),
        ...postgresqlEnv(postgresql),
        N8N_TUNED_PATCHES: everyPatch.join(),
        NODE_OPTIONS: `--require ${patchFiles(folder)}`,
      },
    })
    await n8n.startWorker()
  }, 300_000)
  afterAll(async () => {
    await n8n?.stop()
    await work?.stop()
    await database?.end()
    await postgresql?.stop()
    await redis?.stop()
    if (disk) execFileSync('umount', [place])
    rmSync(place, { recursive: true })
  })

  const refused: string[] = []
  /** With so much text in its request that n8n needs room to begin it. */
  const accepts = async (request: string) => {
    const { ok } = await fetch(`${n8n.url}/webhook/count?request=${request}&text=${noise(10_000)}`)
    if (!ok) refused.push(request)
    return ok
  }
  const jobs = async (state: string) => Number(await redis.run('LLEN', `bull:jobs:${state}`))
  const nothingIsUnderWay = () => until(async () => !(await jobs('active')) && !(await jobs('wait')), patient)
  const statuses = async () =>
    (await database.query<{ status: string }>('SELECT status FROM execution_entity ORDER BY id')).rows.map(
      ({ status }) => status,
    )

  test('holds no worker and no caller, and nothing runs twice', async () => {
    const early = ['one', 'two', 'three']
    work.hold()
    for (const request of early) expect(await accepts(request)).toBe(true)
    expect(await until(async () => early.every((request) => work.times.has(request)), patient)).toBe(true)

    const free = await disk.fill()
    work.goOn()
    expect(await nothingIsUnderWay()).toBe(true)
    let late = 0
    expect(await until(async () => !(await accepts(`late-${late++}`)), patient)).toBe(true)
    expect(await nothingIsUnderWay()).toBe(true)

    await free()
    expect(await accepts('afterwards')).toBe(true)
    expect(await until(async () => (await statuses()).at(-1) === 'success', patient)).toBe(true)

    expect(early.map((request) => work.times.get(request))).toEqual([1, 1, 1])
    expect(Math.max(...work.times.values())).toBe(1)
    expect(refused.filter((request) => work.times.has(request))).toEqual([])
  }, 300_000)

  test('leaves executions whose end was not written, which main then calls crashed', async () => {
    const sidecar = await startStuckSidecar(postgresql, redis)
    const stuck = (await statuses()).filter((status) => status !== 'success').length
    expect(await sidecar.counts(stuck)).toBe(true)
    await sidecar.stop()
    await n8n.crash()
    const ended = async () => (await statuses()).every((status) => ['success', 'crashed'].includes(status))
    expect(await until(ended, { timeout: 120_000, every: 200 })).toBe(true)
  }, 300_000)
})
