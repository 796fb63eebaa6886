import { createHmac } from 'node:crypto'
import type { Auth } from './schema.ts'

/** The header with the credential. */
export function authHeader(auth: Auth): Record<string, string> {
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
