import { createHmac } from 'node:crypto'
import { usage } from '../../lib/errors.ts'
import { badRequest, type Auth, type RequestSpec } from './schema.ts'
import { columnsIn, type Request, type Row, type Signature } from '../../../scenarios/request.ts'
import type { Credential } from '../../n8n/credentials.ts'
import { paramsIn, type Trigger } from '../../n8n/address.ts'
import { requestBody, jsonText, urlText } from './body.ts'
import { rowsOf } from './files.ts'
import { openingOf, shaped } from './shaped.ts'

/** All requests to one workflow. */
export interface RequestPlan {
  requests: Request[]
  /** Rows of CSV files; a request names the one it takes. */
  tables: Row[][]
}

interface Callee {
  workflow: string
  triggers: Trigger[]
  credentials: Credential[]
  where: string
  /** By the node that they call, how requests are signed. */
  signatures?: Map<string, Signature>
}

export async function planRequests(specs: RequestSpec[], callee: Callee): Promise<RequestPlan> {
  const files = [...new Set(specs.flatMap(({ rows }) => rows ?? []))]
  const tables = await Promise.all(files.map((file) => rowsOf(file, callee.where)))
  const requests = await Promise.all(specs.map((spec) => requestOf(spec, callee)))
  return {
    requests: requests.map((request, index) =>
      withRows(request, files.indexOf(specs[index]!.rows ?? ''), tables, callee.where),
    ),
    tables,
  }
}

async function requestOf(given: RequestSpec, callee: Callee): Promise<Request> {
  const { trigger, params } = called(given, callee)
  const spec = shaped(given, trigger, callee.where)
  const { body, type } = await requestBody(spec, callee.where, { multipart: trigger.takes.kind === 'form' })
  const opening = openingOf(trigger)
  const sign = callee.signatures?.get(trigger.node)
  const headers = Object.fromEntries(Object.entries(spec.headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    method: methodOf(spec, trigger, body !== null, callee),
    path: pathOf(trigger, { ...params, ...spec.params }, callee.where) + queryText(spec.query),
    headers: {
      ...(type && { 'content-type': type }),
      ...headers,
      ...credentialsOf(spec.auth, headers, trigger, callee),
    },
    body,
    weight: spec.weight,
    expect: {
      status: spec.expect.status === undefined ? null : [spec.expect.status].flat(),
      json: spec.expect.json ? jsonText(spec.expect.json) : null,
      text: spec.expect.text ?? null,
    },
    table: null,
    ...(trigger.onMain && { onMain: true as const }),
    ...(opening && { opening }),
    // A signature that the request gives is that of a body which does not change.
    ...(sign && headers[sign.header] === undefined && body?.kind !== 'multipart' && { sign }),
  }
}

/** The trigger that a request names, by the node's name or its path. */
function called(
  { webhook }: RequestSpec,
  { triggers, where }: Callee,
): { trigger: Trigger; params: Record<string, string> } {
  if (webhook === undefined) return { trigger: triggers[0]!, params: {} }
  for (const trigger of triggers) {
    const params = trigger.node === webhook ? {} : paramsIn(webhook, trigger)
    if (params) return { trigger, params }
  }
  const known = triggers.map(({ node, path }) => `"${node}" (${path})`).join(', ')
  throw badRequest(
    where,
    `Expected a request to one of its triggers, ${known}, got one to ${webhook}.`,
    'Name one of them as webhook, or give the request of another.',
  )
}

function methodOf({ method }: RequestSpec, { methods, node }: Trigger, hasBody: boolean, { where }: Callee): string {
  if (method === undefined) return (hasBody && methods.find((one) => one !== 'GET' && one !== 'HEAD')) || methods[0]!
  if (methods.includes(method)) return method
  throw badRequest(
    where,
    `Expected ${methods.join(' or ')}, which "${node}" takes, got ${method}.`,
    'Correct the method of the request.',
  )
}

function pathOf({ path, node }: Trigger, params: Record<string, string>, where: string): string {
  return path
    .split('/')
    .map((part) => {
      if (!part.startsWith(':')) return part
      const value = params[part.slice(1)]
      if (value === undefined)
        throw badRequest(
          where,
          `Expected params.${part.slice(1)}, which is in the path of the Webhook node "${node}", got none.`,
          'Give it under params of the request.',
        )
      return urlText(value)
    })
    .join('/')
}

function queryText(query: RequestSpec['query']): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${urlText(name)}=${urlText(one)}`),
  )
  return pairs.length ? `?${pairs.join('&')}` : ''
}

const kinds = {
  basicAuth: 'basic auth',
  headerAuth: 'header auth',
  jwtAuth: 'a JWT',
  bearerAuth: 'a bearer token',
} as const

/** The credential for the trigger: that of the request, or else the node's own. */
function credentialsOf(
  auth: Auth | undefined,
  given: Record<string, string>,
  trigger: Trigger,
  { workflow, credentials }: Callee,
): Record<string, string> {
  const known = auth ?? (given.authorization === undefined ? authFor(trigger, credentials) : undefined)
  if (known) return authHeader(known)
  const kind = trigger.auth === 'none' ? undefined : kinds[trigger.auth]
  const passes = trigger.auth === 'headerAuth' ? Object.keys(given).length > 0 : given.authorization !== undefined
  if (kind && !passes)
    throw usage(
      'missing-auth',
      `${workflow}: Expected a request with ${kind}, which its trigger "${trigger.node}" asks for, got one without.`,
      'Give auth in the request (docs/workload.md), or its credential with --credentials FILE.',
    )
  return {}
}

function withRows(request: Request, table: number, tables: Row[][], where: string): Request {
  const asked = columnsIn(JSON.stringify(request))
  const known = Object.keys(tables[table]?.[0] ?? {})
  const missing = asked.find((column) => !known.includes(column))
  if (missing !== undefined)
    throw badRequest(
      where,
      `Expected a column "${missing}" for {{row.${missing}}}, got ${known.join(', ') || 'no rows'}.`,
      'Name the CSV file as rows of the request, with the columns in its first line.',
    )
  return { ...request, table: table < 0 ? null : table }
}

/** The header with the credential. */
function authHeader(auth: Auth): Record<string, string> {
  if ('basic' in auth)
    return { authorization: `Basic ${Buffer.from(`${auth.basic.user}:${auth.basic.password}`).toString('base64')}` }
  if ('header' in auth) return { [auth.header.name.toLowerCase()]: auth.header.value }
  return { authorization: `Bearer ${'bearer' in auth ? auth.bearer : signed(auth.jwt)}` }
}

function signed({ secret, algorithm, payload }: Extract<Auth, { jwt: unknown }>['jwt']): string {
  const part = (given: object) => Buffer.from(JSON.stringify(given)).toString('base64url')
  const text = `${part({ alg: algorithm, typ: 'JWT' })}.${part(payload)}`
  return `${text}.${createHmac(algorithm.replace('HS', 'sha'), secret).update(text).digest('base64url')}`
}

/** How a request passes a trigger that asks for one of these credentials; undefined if it asks for none. */
function authFor({ auth, credential }: Trigger, credentials: Credential[]): Auth | undefined {
  const data = credentials.find(({ id }) => id === credential?.id)?.data as Record<string, string> | undefined
  if (!data) return undefined
  if (auth === 'basicAuth') return { basic: { user: data.user ?? '', password: data.password ?? '' } }
  if (auth === 'headerAuth') return { header: { name: data.name ?? '', value: data.value ?? '' } }
  if (auth === 'bearerAuth') return { bearer: data.token ?? '' }
  if (auth === 'jwtAuth' && data.secret)
    return { jwt: { secret: data.secret, algorithm: data.algorithm as 'HS256', payload: {} } }
  return undefined
}
