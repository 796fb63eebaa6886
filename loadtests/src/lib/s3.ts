import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { bodyOf, faultOf } from './reply.ts'
import { failure, usage } from './errors.ts'
import { typed } from './paths.ts'

/** A place in an S3-compatible store: `s3://bucket/prefix`. */
export interface Store {
  /** Fails early if the store cannot take a run: better before the run than after it. */
  check(): Promise<void>
  /** Copies the folder of a run; returns its new place. */
  take(dir: string): Promise<string>
}

const patience = 300_000

/** The place of the store and the credentials come from the variables that every tool for such stores reads. */
export function openStore(url: string, env: NodeJS.ProcessEnv = process.env): Store {
  const [, bucket = '', prefix = ''] = storeUrl.exec(url) ?? []
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env
  if (!accessKeyId || !secretAccessKey)
    throw usage(
      'no-credentials',
      `Expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment for ${url}, found none.`,
      'Set them; AWS_REGION and AWS_ENDPOINT_URL_S3 say where a store is that is not in AWS’ us-east-1.',
    )
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1'
  const endpoint = (env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || `https://s3.${region}.amazonaws.com`).replace(
    /\/+$/,
    '',
  )
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw usage(
      'bad-endpoint',
      `Expected AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL to be a URL like https://s3.example.com, got "${endpoint}".`,
      'Correct that variable.',
    )
  const client = new AwsClient({ accessKeyId, secretAccessKey, sessionToken, region, service: 's3', retries: 3 })
  const address = (key: string) =>
    `${endpoint}/${[bucket, ...key.split('/')].filter(Boolean).map(encodeURIComponent).join('/')}`

  return {
    async check() {
      const got = await client
        .fetch(address(''), { method: 'HEAD', signal: AbortSignal.timeout(10_000) })
        .then(({ status }) => (status === 404 || status === 301 ? `${status}` : null), reason)
      if (got)
        throw usage(
          'no-store',
          `Expected the bucket of ${url} at ${endpoint}, got: ${got}.`,
          'AWS_ENDPOINT_URL_S3 and AWS_REGION say where the store is; the bucket has to be there.',
        )
    },
    async take(dir) {
      const folder = [prefix, basename(resolve(dir))].filter(Boolean).join('/')
      for (const file of await filesIn(dir)) {
        const body = await readFile(join(dir, file))
        const headers = { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') }
        const got = await client
          .fetch(address(`${folder}/${file}`), { method: 'PUT', body, headers, signal: AbortSignal.timeout(patience) })
          .then(refusal, reason)
        if (got)
          throw failure(
            'not-stored',
            `Expected ${url} to take ${file} of the run, got: ${got}. Nothing is lost: all of it is in ${dir}.`,
            `${typed.lab} report ${dir} --record ${url} copies it again.`,
          )
      }
      return `s3://${bucket}/${folder}/`
    },
  }
}

const storeUrl = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/+(.*?)\/*)?$/s

export const isStoreUrl = (text: string) => storeUrl.test(text)

/** run.ndjson comes last: if the store has it, the store has the whole run. */
async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(dir, join(parentPath, name)))
  const isRecord = (file: string) => Number(file === 'run.ndjson')
  return files.sort((a, b) => isRecord(a) - isRecord(b) || a.localeCompare(b))
}

/** Null if the store took it. */
async function refusal(response: Response): Promise<string | null> {
  const text = await bodyOf(response)
  if (response.ok) return null
  const [code, message] = ['Code', 'Message'].map((name) => new RegExp(`<${name}>([^<]*)`).exec(text)?.[1])
  return [response.status, code, message].filter(Boolean).join(' ')
}

const reason = (error: Error) => faultOf(error, patience)
