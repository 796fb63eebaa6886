import { randomUUID } from 'node:crypto'
import type { Asking } from './asking.ts'

const field = /\{\{\s*([^{}|]+?)\s*(?:\|\s*([^{}]*?)\s*)?\}\}/g
const whole = /^\{\{\s*([^{}|]+?)\s*(?:\|\s*([^{}]*?)\s*)?\}\}$/

/** An answer with its fields filled in from the request. One that consists of a field alone keeps the field's type. */
export function fillTemplate(answer: unknown, asking: Asking): unknown {
  if (typeof answer === 'string') {
    const alone = whole.exec(answer)
    if (alone) return valueOf(alone[1]!, alone[2], asking)
    return answer.replace(field, (_, name: string, usual?: string) => textOf(valueOf(name, usual, asking)))
  }
  if (Array.isArray(answer)) return answer.map((one) => fillTemplate(one, asking))
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, fillTemplate(value, asking)]))
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function valueOf(name: string, usual: string | undefined, asking: Asking): unknown {
  const [kind = '', ...path] = name.split('.')
  const found = (() => {
    switch (kind) {
      case 'body':
        return path.reduce<unknown>((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], asking.body)
      case 'query':
        return asking.query.get(path.join('.')) ?? undefined
      case 'path':
        return decoded(asking.path.split('/')[Number(path[0])])
      case 'host':
        return asking.host
      case 'counter':
        return asking.counter
      case 'uuid':
        return randomUUID()
      case 'id':
        return randomUUID().replaceAll('-', '').slice(0, 24)
      case 'now':
      case 'time':
        return new Date().toISOString()
      case 'unix':
        return Math.floor(Date.now() / 1000)
      case 'timestamp':
        return Date.now()
      default:
        return undefined
    }
  })()
  if (found !== undefined && found !== '') return found
  if (usual === undefined) return null
  return /^-?\d+(\.\d+)?$/.test(usual) ? Number(usual) : usual
}

function decoded(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part)
  } catch {
    return part
  }
}
