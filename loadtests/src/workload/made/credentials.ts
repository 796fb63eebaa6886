import { createHash, generateKeyPairSync } from 'node:crypto'
import type { Catalog, Property } from '../../n8n/catalog.ts'
import type { Credential } from '../../n8n/credentials.ts'
import type { Exported, ExportedNode } from '../../n8n/exported.ts'
import { mockHost, mockPort } from '../../model/outside.ts'

/** Where made credentials lead: a name that no real host can have, which only the mock answers. */
export const madeDomain = 'mock.test'

/**
 * What the secrets of a node's made credentials begin with, so that the mock knows which node asks. Hexadecimal,
 * which every service's secrets may be.
 */
export const credentialMark = (workflow: string, node: string): string =>
  `0dd5${createHash('sha256').update(`${workflow} ${node}`).digest('hex').slice(0, 12)}`

/** Where a mark may be in a text. */
export const credentialMarks = /0dd5[0-9a-f]{12}/g

/**
 * The workflow with a credential for each node that asks for one and has none of the given ones, and those credentials.
 * They are valid in form, and worthless anywhere but at the mock.
 */
export function withMadeCredentials(
  workflow: Exported,
  given: Credential[],
  catalog: Catalog,
): { workflow: Exported; made: Credential[] } {
  const made = new Map<string, Credential>()
  const isGiven = ({ id }: { id?: string | null }) => given.some((one) => one.id === String(id))
  const credentialOf = (type: string, node: string) => {
    const mark = credentialMark(workflow.id, node)
    const known = made.get(`${type} ${mark}`) ?? madeCredential(type, mark, catalog)
    made.set(`${type} ${mark}`, known)
    return { id: known.id, name: known.name }
  }
  const completed = (node: ExportedNode): ExportedNode => {
    if (node.disabled) return node
    const referred = Object.entries(node.credentials ?? {}).filter(([, one]) => one && typeof one === 'object')
    const asked = catalog.node(node.type, node.typeVersion)
      ? catalog
          .credentialsAskedBy(node)
          .filter(({ name, required }) => required || referred.some(([type]) => type === name))
      : referred.map(([name]) => ({ name }))
    if (!asked.length) return { ...node, credentials: Object.fromEntries(referred.filter(([, one]) => isGiven(one))) }
    const own = asked.map(({ name }) => {
      const one = referred.find(([type]) => type === name)?.[1]
      return [name, one && isGiven(one) ? one : credentialOf(name, node.name)] as const
    })
    return { ...node, credentials: Object.fromEntries(own) }
  }
  return { workflow: { ...workflow, nodes: workflow.nodes.map(completed) }, made: [...made.values()] }
}

function madeCredential(type: string, mark: string, catalog: Catalog): Credential {
  const properties = catalog.credential(type)?.properties ?? []
  const fields = properties.flatMap((property) => {
    const value = valueFor(property, type, mark)
    return value === undefined ? [] : [[property.name, value] as const]
  })
  return {
    id: `made${createHash('sha256').update(`${type} ${mark}`).digest('hex').slice(0, 12)}`,
    name: `Made by the lab: ${catalog.credential(type)?.displayName ?? type}`,
    type,
    data: { ...Object.fromEntries(fields), ...tokensOf(type, mark, catalog), ...specialOf(type, mark) },
  }
}

/** What a login in the editor would have brought. */
function tokensOf(type: string, mark: string, catalog: Catalog): Record<string, unknown> {
  if (catalog.extends(type, 'oAuth2Api'))
    return {
      oauthTokenData: {
        access_token: secret(type, mark, 40),
        refresh_token: secret(`${type} again`, mark, 40),
        token_type: 'Bearer',
        expires_in: 31_536_000,
        // Slack, Salesforce and others are asked at the address that came with the token.
        instance_url: `https://${hostFor(type)}`,
      },
    }
  if (catalog.extends(type, 'oAuth1Api'))
    return {
      oauthTokenData: { oauth_token: secret(type, mark, 30), oauth_token_secret: secret(`${type} again`, mark, 30) },
    }
  return {}
}

function valueFor(property: Property, type: string, mark: string): unknown {
  const { name, type: kind, default: usual, options } = property
  if (kind === 'notice' || kind === 'hidden') return undefined
  if (/^(ssl|secure|tls|rejectUnauthorized|disableStartTls)$/i.test(name) && kind === 'boolean')
    return name === 'disableStartTls'
  if (/^(allowUnauthorizedCerts|ignoreSSLIssues)$/i.test(name)) return true
  if (usual !== undefined && usual !== '' && usual !== null && !isExample(usual)) return undefined
  if (kind === 'options') return options?.find(({ value }) => value !== undefined && value !== '')?.value
  if (kind === 'json') return '{}'
  if (kind === 'number') return /port/i.test(name) ? 443 : undefined
  if (kind !== 'string') return undefined
  return /^https?:\/\//.test(property.placeholder ?? '') ? `https://${hostFor(type)}` : textFor(name, type, mark)
}

/** An address of another place that a type suggests, such as a server on the reader's own machine. */
const isExample = (usual: unknown) => typeof usual === 'string' && /localhost|127\.0\.0\.1/.test(usual)

function textFor(name: string, type: string, mark: string): string {
  if (/privateKey|private_key/i.test(name)) return privateKey()
  if (/e-?mail/i.test(name)) return 'mock@example.com'
  if (/url|endpoint|uri$|site$/i.test(name)) return `https://${hostFor(type)}`
  if (/host|server|domain|subdomain|instance/i.test(name)) return hostFor(type)
  if (/region/i.test(name)) return 'us-east-1'
  if (/^(user|userName|username|login)$/i.test(name)) return 'mock'
  if (/accountSid/i.test(name)) return `AC${secret(type, mark, 32)}`
  if (/^(database|db)$/i.test(name)) return 'mock'
  return `${prefixes[`${type}.${name}`] ?? ''}${secret(`${type} ${name}`, mark, 35)}`
}

/** How tokens of these services begin, which their nodes or libraries check. */
const prefixes: Record<string, string> = {
  'telegramApi.accessToken': '123456789:',
  'slackApi.accessToken': 'xoxb-',
  'openAiApi.apiKey': 'sk-',
  'anthropicApi.apiKey': 'sk-ant-',
  'airtableTokenApi.accessToken': 'pat',
  'notionApi.apiKey': 'ntn_',
  'githubApi.accessToken': 'ghp_',
}

/** Types whose fields say more than their names. */
const specialOf = (type: string, mark: string): Record<string, unknown> | undefined =>
  ({
    ...special,
    httpHeaderAuth: { name: 'x-mock', value: mark },
    httpBearerAuth: { token: mark },
    httpBasicAuth: { user: 'mock', password: mark },
    httpDigestAuth: { user: 'mock', password: mark },
    httpQueryAuth: { name: 'mock', value: mark },
    httpCustomAuth: { json: `{"headers":{"x-mock":"${mark}"}}` },
  })[type]

const special: Record<string, Record<string, unknown>> = {
  smtp: { host: mockHost, port: mockPort('smtp'), secure: false, disableStartTls: true },
  imap: { host: mockHost, port: mockPort('imap'), secure: false },
  postgres: {
    host: mockHost,
    port: mockPort('postgres'),
    database: 'mock',
    user: 'mock',
    ssl: 'disable',
    allowUnauthorizedCerts: false,
  },
  mySql: { host: mockHost, port: mockPort('mysql'), database: 'mock', user: 'mock' },
  redis: { host: mockHost, port: mockPort('redis'), password: '', ssl: false },
  // Its client goes by no proxy.
  qdrantApi: { qdrantUrl: `http://${mockHost}:${mockPort('qdrant')}` },
  jwtAuth: { keyType: 'passphrase', secret: 'made by the lab, and long enough for HS256', algorithm: 'HS256' },
}

const hostFor = (type: string) => `${type.toLowerCase().replace(/[^a-z0-9]/g, '')}.${madeDomain}`

/** The same for each run, so that n8n's data can be seeded once. */
const secret = (of: string, mark: string, length: number) =>
  mark
  + createHash('sha512')
    .update(`made by the lab: ${of}`)
    .digest('hex')
    .slice(0, length - mark.length)

let key: string | undefined
const privateKey = () =>
  (key ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey)
