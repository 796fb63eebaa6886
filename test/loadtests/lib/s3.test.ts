import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { until } from '../../../loadtests/src/lib/await.ts'
import { freePorts } from '../../../loadtests/src/lib/ports.ts'
import { root } from '../../support/command.ts'
import { refusalOf } from '../../support/refusal.ts'
import { startObjectStore, type ObjectStore } from '../../support/s3.ts'
import { startService, type Service } from '../../support/service.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import { cell, end, run, step } from '../fixtures/records.ts'
import { openStore } from '../../../loadtests/src/lib/s3.ts'

/** With a real S3-compatible server. */

const folder = temporaryFolder()
const nobody = `http://127.0.0.1:${(await freePorts(1))[0]}`
let store: ObjectStore
beforeAll(async () => void (store = await startObjectStore()), 600_000)
afterAll(() => store.stop())

let runs = 0
async function someRun(): Promise<string> {
  const dir = join(folder, `run ${runs++} +é`)
  await write(
    dir,
    'run.ndjson',
    [run(), cell(0), step(0, 50), end()].map((record) => `${JSON.stringify(record)}\n`).join(''),
  )
  await write(dir, 'logs/main-0.log', 'n8n ready')
  return dir
}

describe('a run', () => {
  test('is below the prefix, under its own name, with all its files', async () => {
    const dir = await someRun()
    expect(await openStore('s3://runs/of/ours/', store.env).take(dir)).toBe('s3://runs/of/ours/run 0 +é/')
    expect(await store.objects()).toMatchObject({
      'of/ours/run 0 +é/logs/main-0.log': 'n8n ready',
      'of/ours/run 0 +é/run.ndjson': expect.stringContaining('"type":"end"'),
    })
  })

  test('may be right in the bucket', async () => {
    expect(await openStore('s3://runs', store.env).take(await someRun())).toBe('s3://runs/run 1 +é/')
    expect(Object.keys(await store.objects())).toContain('run 1 +é/run.ndjson')
  })

  test('that is copied again is there as it is now', async () => {
    const dir = await someRun()
    await openStore('s3://runs/again', store.env).take(dir)
    await write(dir, 'logs/main-0.log', 'another')
    await openStore('s3://runs/again', store.env).take(dir)
    expect(await store.objects()).toMatchObject({ 'again/run 2 +é/logs/main-0.log': 'another' })
  })

  test('is copied by report, which then tells where it is', async () => {
    const dir = await someRun()
    const { status, stderr } = report(store.env, dir, 's3://runs/reports')
    expect([status, stderr]).toEqual([
      exitCodes.met,
      expect.stringMatching(/s3:\/\/runs\/reports \(--record\)[^]*\nCopied to s3:\/\/runs\/reports\/run \d \+é\/\n$/),
    ])
    expect(Object.keys(await store.objects())).toEqual(
      expect.arrayContaining(['run.ndjson', 'summary.json', 'report.html'].map((name) => `reports/run 3 +é/${name}`)),
    )
  })
})

describe('before the run', () => {
  test('a store with that bucket passes', async () => {
    await openStore('s3://runs/any', store.env).check()
  })

  test.each([
    [
      'no credentials',
      { AWS_ACCESS_KEY_ID: '' },
      's3://runs',
      'Expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment for s3://runs, found none.',
    ],
    ['an endpoint that is no URL', { AWS_ENDPOINT_URL_S3: 'localhost:9000' }, 's3://runs', 'got "localhost:9000"'],
    ['a bucket that is not there', {}, 's3://others', 'got: 404.'],
    ['a store that is not there', { AWS_ENDPOINT_URL_S3: nobody }, 's3://runs', 'got: ECONNREFUSED.'],
  ])('%s ends it', async (_, env, url, said) => {
    const error = await refusalOf(() => openStore(url, { ...store.env, ...env }).check())
    expect([error.exit, error.message]).toEqual([exitCodes.usage, expect.stringContaining(said)])
  })

  test('the endpoint for all of AWS’ services serves where there is none for this', async () => {
    const { AWS_ENDPOINT_URL_S3, ...env } = store.env
    await openStore('s3://runs', { ...env, AWS_ENDPOINT_URL: AWS_ENDPOINT_URL_S3 }).check()
  })
})

describe('a store that fails', () => {
  test('leaves the run where it was, and says what it said and how to copy it again', async () => {
    const dir = await someRun()
    const error = await refusalOf(() =>
      openStore('s3://runs', { ...store.env, AWS_SECRET_ACCESS_KEY: 'wrong' }).take(dir),
    )
    expect(error.message).toMatch(
      /^Expected s3:\/\/runs to take logs\/main-0\.log of the run, got: 403 SignatureDoesNotMatch /,
    )
    expect(error.message).toContain(' Nothing is lost: all of it is in ')
    expect(error).toMatchObject({
      exit: exitCodes.failure,
      hint: `./n8n-tuned report ${dir} --record s3://runs copies it again.`,
    })
  })

  test('for a moment is asked again', async () => {
    const failing = await startService((request) => ({ status: request % 2 ? 503 : 200 }))
    const dir = await someRun()
    await openStore('s3://runs', { ...store.env, AWS_ENDPOINT_URL_S3: failing.url }).take(dir)
    await failing.close()
    expect(failing.requests).toHaveLength(4)
  })

  test('ends report with exit 1, after what it had to say', async () => {
    const { status, stdout, stderr } = report(
      { ...store.env, AWS_ENDPOINT_URL_S3: nobody },
      await someRun(),
      's3://runs',
    )
    expect([status, stderr]).toEqual([exitCodes.failure, expect.stringContaining('got: ECONNREFUSED. Nothing is lost')])
    expect(stdout).toContain('report.html')
  })
})

describe('a run that is measured', () => {
  const profile = (duration: string) =>
    `name: mine\nquestion: What does it sustain?\nworkflows: [ping-webhook]\nload: { shape: constant, rate: 5, `
    + `duration: ${duration} }\n`
  let n8n: Service
  beforeAll(async () => void (n8n = await startService(() => ({}))))
  afterAll(() => n8n.close())

  /** Runs a check of a server that answers as an n8n would, and returns the outcome. */
  async function check(
    name: string,
    duration: string,
    env: Record<string, string>,
    meanwhile: (child: ChildProcess, dir: string) => Promise<unknown> = async () => {},
  ) {
    const dir = join(folder, name)
    const words = [
      'check',
      '--profile',
      await write(folder, `${name}.yaml`, profile(duration)),
      '--target',
      n8n.url,
      '--out',
      dir,
      '--record',
      's3://runs/measured',
      '--yes',
    ]
    const child = spawn(process.execPath, ['loadtests/src/main.ts', ...words], {
      cwd: root,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    const ended = once(child, 'close')
    await meanwhile(child, dir)
    const [exit] = await ended
    return { exit, err, dir }
  }

  test('is copied when it has ended, with its report', async () => {
    const { exit, err } = await check('ended', '2s', store.env)
    expect(err).toContain('Copied to s3://runs/measured/ended/')
    // On a busy machine the generator may fall behind, and the run then says so. It was copied all the same.
    expect([exitCodes.met, exitCodes.invalid]).toContain(exit)
    expect(Object.keys(await store.objects())).toEqual(
      expect.arrayContaining(['run.ndjson', 'summary.json', 'report.html'].map((name) => `measured/ended/${name}`)),
    )
  })

  test('is copied when it was interrupted', async () => {
    const { exit, err } = await check('interrupted', '60s', store.env, async (child, dir) => {
      await until(
        async () => (await readFile(join(dir, 'run.ndjson'), 'utf8').catch(() => '')).includes('"type":"cell"'),
        { timeout: 30_000, every: 50 },
      )
      child.kill('SIGINT')
    })
    expect([exit, err]).toEqual([
      exitCodes.interrupted,
      expect.stringMatching(/Copied to s3:\/\/runs\/measured\/interrupted\/\nInterrupted: nothing was measured yet\./),
    ])
    expect((await store.objects())['measured/interrupted/run.ndjson']).toContain('"outcome":"interrupted"')
  })

  test('that the store refuses is whole in its folder, and ends with exit 1', async () => {
    const { exit, err, dir } = await check('refused', '2s', { ...store.env, AWS_SECRET_ACCESS_KEY: 'wrong' })
    expect([exit, err]).toEqual([
      exitCodes.failure,
      expect.stringContaining(
        `Nothing is lost: all of it is in ${dir}.\nFix: ./n8n-tuned report ${dir} --record s3://runs/measured `
          + 'copies it again.',
      ),
    ])
    expect(report(store.env, dir, 's3://runs/measured').status).toBe(exitCodes.met)
    expect(Object.keys(await store.objects())).toContain('measured/refused/run.ndjson')
  })

  test('begins only where the bucket is there', async () => {
    const { exit, err, dir } = await check('nowhere', '2s', { ...store.env, AWS_ENDPOINT_URL_S3: nobody })
    expect([exit, err, existsSync(dir)]).toEqual([exitCodes.usage, expect.stringContaining('got: ECONNREFUSED'), false])
  })
})

/** The command, in an environment of its own: credentials are read from nowhere else. */
const report = (env: Record<string, string>, dir: string, record: string) =>
  spawnSync(process.execPath, ['loadtests/src/main.ts', 'report', dir, '--record', record, '--yes'], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  })
