import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { status, until } from '../../loadtests/src/lib/await.ts'
import { freePorts } from '../../loadtests/src/lib/ports.ts'
import { root } from './command.ts'

export interface ObjectStore {
  /** The environment of a client. */
  env: Record<string, string>
  /** What is in its one bucket, `runs`: key → content. */
  objects(): Promise<Record<string, string>>
  stop(): Promise<void>
}

/** A real S3-compatible server on a free loopback port, which keeps its objects as files. */
export async function startObjectStore(): Promise<ObjectStore> {
  execFileSync(join(root, 'tools/install'), ['versitygw'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const home = await mkdtemp(join(tmpdir(), 'n8n-tuned-s3-'))
  const [bucket, sidecar] = [join(home, 'data/runs'), join(home, 'sidecar')]
  await mkdir(bucket, { recursive: true })
  await mkdir(sidecar)
  const [port] = (await freePorts(1)) as [number]
  // Attributes of objects go into files: not every file system has them.
  const child = spawn(
    join(root, 'tools/bin/versitygw'),
    [
      '--port',
      `127.0.0.1:${port}`,
      '--access',
      'me',
      '--secret',
      'sesame',
      '--health',
      '/healthy',
      '--quiet',
      'posix',
      '--sidecar',
      sidecar,
      join(home, 'data'),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const url = `http://127.0.0.1:${port}`
  if (!(await until(async () => (await status(`${url}/healthy`)) === 200, { timeout: 30_000, every: 50 })))
    throw new Error(`Expected versitygw to answer on port ${port} within 20 s, got:\n${log}`)
  return {
    env: { AWS_ENDPOINT_URL_S3: url, AWS_ACCESS_KEY_ID: 'me', AWS_SECRET_ACCESS_KEY: 'sesame' },
    async objects() {
      const entries = (await readdir(bucket, { withFileTypes: true, recursive: true })).filter((entry) =>
        entry.isFile(),
      )
      return Object.fromEntries(
        await Promise.all(
          entries.map(
            async ({ parentPath, name }) =>
              [relative(bucket, join(parentPath, name)), await readFile(join(parentPath, name), 'utf8')] as const,
          ),
        ),
      )
    },
    async stop() {
      const ended = once(child, 'exit')
      if (child.kill('SIGKILL')) await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}
