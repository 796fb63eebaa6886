import type { Signature } from '../../../scenarios/request.ts'
import type { Credential } from '../../n8n/credentials.ts'
import type { Exported, ExportedNode } from '../../n8n/exported.ts'
import type { Shape } from './shape.ts'

/** A node that checks the signature of requests, and how they are signed for it. */
export interface Signing {
  node: string
  /** In lower case; null where no header is read that could hold one. */
  header: string | null
  /** Null where it cannot be told from the file. */
  signature: Signature | null
  /** Its secret is neither in the workflow nor among the credentials. */
  lacksSecret: boolean
}

/** `read`: what the workflow reads of the trigger. `given`: credentials from outside, `made`: those of the lab. */
export function signingsOf(workflow: Exported, read: Shape, given: Credential[], made: Credential[]): Signing[] {
  const headers = [...(read.find('headers')?.fields.keys() ?? [])].map((name) => name.toLowerCase())
  const prefixes = JSON.stringify(workflow.nodes)
  return workflow.nodes.flatMap((node) => {
    const check = node.disabled ? null : checkOf(node, [...given, ...made])
    if (!check) return []
    const header = headerFor(check.hash, headers)
    const secret = check.secret ?? onlySecretOf(given)
    const form = header === null ? null : formOf(header, check, prefixes)
    const signature =
      header !== null && form && secret !== null && hashes.has(check.hash)
        ? { header, hash: check.hash, encoding: check.encoding, secret, ...form }
        : null
    return [{ node: node.name, header, signature, lacksSecret: secret === null }]
  })
}

/** Those that k6 knows too. */
const hashes = new Set<string>(['md5', 'sha1', 'sha256', 'sha384', 'sha512'])

interface Check {
  hash: Signature['hash']
  encoding: Signature['encoding']
  secret: string | null
  /** What it signs: the body as it is, the body after a time, or something else. */
  signs: 'body' | 'timed' | 'other'
}

function checkOf(
  { type, typeVersion = 1, parameters = {}, credentials = {} }: ExportedNode,
  known: Credential[],
): Check | null {
  if (type.endsWith('.crypto') && parameters.action === 'hmac') {
    // An export leaves out what is the default.
    const usual = typeVersion < 2 ? 'MD5' : 'SHA256'
    const { type: hash = usual, encoding = 'hex', secret, value, binaryData } = parameters as Record<string, string>
    const id = String(credentials.crypto?.id ?? '')
    const stored = known.find((one) => one.id === id)?.data.hmacSecret
    return {
      hash: String(hash).toLowerCase() as Check['hash'],
      encoding: encoding as Check['encoding'],
      secret: plain(stored) ?? plain(secret),
      signs: binaryData || isWholeBody(String(value ?? '')) ? 'body' : 'other',
    }
  }
  const code = type.endsWith('.code') ? String(parameters.jsCode ?? '') : ''
  const [, hash, key = ''] = /createHmac\(\s*['"`](\w+)['"`]\s*,([^)]{1,500})\)/.exec(code) ?? []
  const webHash = code.includes('HMAC') ? /SHA-(1|256|384|512)/.exec(code.slice(code.indexOf('HMAC')))?.[1] : undefined
  if (!hash && !(webHash && /subtle/.test(code))) return null
  const [, updated = ''] = /\.update\(\s*([^)]*)/.exec(code) ?? []
  return {
    hash: (hash ?? `sha${webHash}`).toLowerCase() as Check['hash'],
    encoding: /['"`]base64['"`]/.test(code) ? 'base64' : 'hex',
    secret: plain(valueOf(key.trim(), code)),
    signs: signedIn(updated, code),
  }
}

/** A text that is neither empty nor an expression. */
const plain = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && !value.startsWith('=') ? value : null

const isWholeBody = (value: string) =>
  value.length < 1000
  && value.split('{{').length === 2
  && /^=\{\{[^}]*(body|rawBody)['"\]]*\s*(\)|\.toJsonString\(\))?\s*\}\}$/.test(value.trim())

/** The literal, or that of the constant with this name. */
function valueOf(name: string, code: string): string | null {
  const [, , own] = /^(['"`])([^'"`$]*)\1$/.exec(name) ?? []
  if (own !== undefined) return own
  if (!/^\w+$/.test(name)) return null
  return new RegExp(`\\b(?:const|let|var)\\s+${name}\\s*=\\s*(['"\`])([^'"\`$]*)\\1`).exec(code)?.[2] ?? null
}

/** From what is given to `update`, or from the constant with that name. */
function signedIn(updated: string, code: string): Check['signs'] {
  const declared = /^\w+$/.test(updated)
    ? new RegExp(`\\b(?:const|let|var)\\s+${updated}\\s*=\\s*([^\\n;]+)`).exec(code)?.[1]
    : undefined
  const what = declared ?? updated
  if (/`|\+/.test(what)) return 'timed'
  return /body\s*(\?\.|\.)\s*(?!to)\w|body\[/.test(what) ? 'other' : 'body'
}

/** Of several, the one that is named after the algorithm. */
function headerFor(hash: string, headers: string[]): string | null {
  const all = headers.filter((name) => /sign|hmac|digest/.test(name) && !/timestamp/.test(name))
  const digits = /\d+$/.exec(hash)?.[0] ?? ''
  return all.find((name) => digits !== '1' && name.includes(digits)) ?? all[0] ?? null
}

/** How the services write it that have a way of their own; null where it is not known what is signed. */
function formOf(
  header: string,
  { hash, signs }: Check,
  workflow: string,
): Pick<Signature, 'value' | 'over' | 'clock'> | null {
  if (header === 'x-slack-signature')
    return { value: 'v0={{signature}}', over: 'v0:{{seconds}}:{{body}}', clock: 'x-slack-request-timestamp' }
  if (header === 'stripe-signature') return { value: 't={{seconds}},v1={{signature}}', over: '{{seconds}}.{{body}}' }
  if (signs !== 'body') return null
  return { value: workflow.includes(`${hash}=`) ? `${hash}={{signature}}` : '{{signature}}', over: '{{body}}' }
}

/** A credential that no node names is the secret of the code. */
function onlySecretOf(given: Credential[]): string | null {
  const secrets = given.flatMap(({ data }) => plain(data.hmacSecret) ?? [])
  return secrets.length === 1 ? secrets[0]! : null
}
