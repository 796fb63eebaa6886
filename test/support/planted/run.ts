import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { root } from '../command.ts'
import { filesIn } from '../files-holding.ts'
import { watchArguments } from './arguments.ts'
import { makeSecrets, type Secret } from './secrets.ts'
import { secretiveService } from './service.ts'
import { askingWorkflow } from './workflow.ts'

export interface Planted {
  secrets: number
  exit: number
  said: string
  /** Requests that n8n accepted while the secrets were looked for. */
  accepted: number
  /** What of the log of n8n shows that the workflow printed what it was sent. */
  printed: boolean
  /** The places of the secrets that were found, and where. */
  found: { secret: string; in: string }[]
}

/** Measures with a secret in every place that takes one, and looks for each in all that is kept, said or shown. */
export async function runPlanted(folder: string, where: string[]): Promise<Planted> {
  const { all, secret } = makeSecrets()
  const onThisMachine = !where.includes('kubernetes')
  const service = await secretiveService(secret)
  const given = plant(folder, secret, onThisMachine ? service.port : null)
  const out = join(folder, 'out')
  const words = ['check', ...given.words, ...where, '--yes', '--out', out]
  const lab = spawn(join(root, 'node_modules/.bin/n8n-tuned'), words, {
    cwd: root,
    env: { ...process.env, ...given.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  lab.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  lab.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  // A user who writes a secret into a command shows it until the command begins.
  const watch = watchArguments(() => (said === '' ? lab.pid : undefined))
  const [exit] = (await once(lab, 'close')) as [number]
  const shown = watch.stop()
  service.close()
  const files = [...filesIn(out), ...given.written]
  const places = [
    ...files.map((file) => ({ place: file.slice(folder.length + 1), text: readFileSync(file, 'utf8') })),
    { place: 'what it printed', text: said },
    ...shown.map((text) => ({ place: `the arguments ${text.slice(0, 80)}`, text })),
  ]
  const found = [...all].flatMap(([name, text]) =>
    places
      .filter((one) => [text, Buffer.from(text).toString('base64')].some((form) => one.text.includes(form)))
      .map(({ place }) => ({ secret: name, in: place })),
  )
  const { results } = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as {
    results: { steps: { purpose: string; load: { accepted: number } }[] }[]
  }
  const logs = filesIn(join(out, 'logs')).map((file) => readFileSync(file, 'utf8'))
  return {
    secrets: all.size,
    exit,
    said,
    accepted: results[0]?.steps.reduce((sum, { load }) => sum + load.accepted, 0) ?? 0,
    printed: logs.some((log) => log.includes('not-a-secret')),
    found,
  }
}

/** Writes the files of a user, and the words that name them. */
function plant(folder: string, secret: Secret, port: number | null) {
  mkdirSync(folder, { recursive: true })
  const file = (name: string, content: object, write: (content: object) => string = JSON.stringify) => {
    writeFileSync(join(folder, name), write(content), { mode: 0o600 })
    return join(folder, name)
  }
  const values = {
    database: { password: { value: secret('database.password.value', 'word') } },
    redis: { password: { value: secret('redis.password.value', 'word') } },
    encryptionKey: { value: secret('encryptionKey.value') },
    runner: { mode: 'internal', token: { value: secret('runner.token.value', 'word') } },
    commonAnnotations: { 'example.com/registration': secret('commonAnnotations') },
    extraObjects: [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'planted' },
        stringData: { name: secret('extraObjects’ Secret', 'word') },
      },
    ],
    role: {
      podAnnotations: { 'example.com/token': secret('role.podAnnotations', 'word') },
      extraEnv: {
        CODE_ENABLE_STDOUT: 'true',
        CREDENTIALS_OVERWRITE_DATA: `{"shopApi":{"key":"${secret('CREDENTIALS_OVERWRITE_DATA', 'word')}"}}`,
        CREDENTIALS_OVERWRITE_ENDPOINT_AUTH_TOKEN: secret('CREDENTIALS_OVERWRITE_ENDPOINT_AUTH_TOKEN', 'word'),
        N8N_SMTP_PASS: secret('N8N_SMTP_PASS', 'word'),
        N8N_SMTP_OAUTH_PRIVATE_KEY: secret('N8N_SMTP_OAUTH_PRIVATE_KEY'),
        N8N_USER_MANAGEMENT_JWT_SECRET: secret('N8N_USER_MANAGEMENT_JWT_SECRET', 'word'),
        N8N_AI_ANTHROPIC_KEY: secret('N8N_AI_ANTHROPIC_KEY'),
        OPENAI_API_KEY: secret('OPENAI_API_KEY', 'word'),
        COMPANY_PASS: secret('COMPANY_PASS', 'word'),
        OF_NOBODY: secret('a variable that nobody knows'),
        WORDS_OF_NOBODY: secret('words in a variable that nobody knows', 'word'),
        DOCKER_TOKEN: secret('a variable of the container runtime’s family', 'word'),
        REPORTS: `postgres://reports:${secret('a URL with a password', 'word')}@203.0.113.9/reports`,
      },
    },
    worker: { extraEnv: { SHOP_ACCESS_KEY_ID: secret('worker.extraEnv') } },
  }
  const request = {
    method: 'POST',
    headers: { 'x-shop-key': secret('a header', 'word'), cookie: `session=${secret('a cookie')}` },
    query: { signed: secret('a query') },
    auth: { bearer: { env: 'PLANTED_BEARER' } },
    body: {
      note: 'not-a-secret',
      password: secret('a body’s password', 'word'),
      nested: { tokens: [secret('a body’s list of tokens', 'word')] },
    },
  }
  const credentials = [
    {
      id: '1001',
      name: 'Shop',
      type: 'httpHeaderAuth',
      data: { name: 'x-of-shop', value: secret('a credential', 'word') },
    },
    {
      id: '1002',
      name: 'Other',
      type: 'oAuth2Api',
      data: {
        clientId: 'c',
        clientSecret: secret('a client secret', 'word'),
        oauthTokenData: { access_token: secret('a nested credential') },
      },
    },
  ]
  const recorded = join(folder, 'recorded.yaml')
  const words = [
    ...['--rate', '4', '--quick', '--repeat', '1', '--slo', 'p95=20s,backlog=100%'],
    ...['--workflow', file('planted.json', askingWorkflow(port))],
    ...['--values', file('values.yaml', values, stringify)],
    ...['--set', `main.extraEnv.SET_TOKEN=${secret('--set', 'word')}`],
    ...['--set', `webhook={extraEnv: {OF_NOBODY_ELSE: ${secret('--set of a map')}}}`],
    ...['--request', file('request.json', request)],
    ...(port === null ? [] : ['--credentials', file('credentials.json', credentials), '--record-outside', recorded]),
    ...(port === null
      ? []
      : ['--remote-write', `http://127.0.0.1:${port}/write?token=${secret('a URL’s query', 'word')}`]),
  ]
  const env = {
    PLANTED_BEARER: secret('a token in the environment'),
    N8N_TUNED_METRICS_TOKEN: secret('the token of metrics'),
    AWS_SECRET_ACCESS_KEY: secret('the key of the store'),
  }
  return { words, env, written: port === null ? [] : [recorded] }
}
