import { createServer, type Server } from 'node:net'

/** A Redis with the commands that workflows use: texts, lists, hashes, counters and subscriptions. */
export function emptyRedis(took: (command: string, ms: number) => void): Server {
  const texts = new Map<string, string>()
  const lists = new Map<string, string[]>()
  const hashes = new Map<string, Map<string, string>>()
  const run = (name: string, args: string[]): unknown => {
    const [key = '', ...rest] = args
    const list = () => lists.get(key) ?? lists.set(key, []).get(key)!
    const hash = () => hashes.get(key) ?? hashes.set(key, new Map()).get(key)!
    switch (name) {
      case 'PING':
        return { status: 'PONG' }
      case 'GET':
        return texts.get(key) ?? null
      case 'SET':
      case 'SETEX':
        texts.set(key, rest.at(name === 'SET' ? 0 : 1) ?? '')
        return { status: 'OK' }
      case 'MGET':
        return args.map((one) => texts.get(one) ?? null)
      case 'DEL':
      case 'UNLINK':
        return args.filter((one) => [texts.delete(one), lists.delete(one), hashes.delete(one)].some(Boolean)).length
      case 'EXISTS':
        return Number(texts.has(key) || lists.has(key) || hashes.has(key))
      case 'INCR':
      case 'INCRBY': {
        const next = Number(texts.get(key) ?? 0) + Number(rest[0] ?? 1)
        texts.set(key, String(next))
        return next
      }
      case 'DECR':
        texts.set(key, String(Number(texts.get(key) ?? 0) - 1))
        return Number(texts.get(key))
      case 'EXPIRE':
      case 'PEXPIRE':
        return 1
      case 'TTL':
        return -1
      case 'TYPE':
        return { status: texts.has(key) ? 'string' : lists.has(key) ? 'list' : hashes.has(key) ? 'hash' : 'none' }
      case 'KEYS':
        return [...texts.keys(), ...lists.keys(), ...hashes.keys()].slice(0, 100)
      case 'SCAN':
        return ['0', [...texts.keys()].slice(0, 100)]
      case 'LPUSH':
        return list().unshift(...rest.toReversed())
      case 'RPUSH':
        // A chat that goes on for a whole load would grow without end.
        list().splice(0, list().length - 200)
        return list().push(...rest)
      case 'LPOP':
        return list().shift() ?? null
      case 'RPOP':
        return list().pop() ?? null
      case 'LLEN':
        return list().length
      case 'LRANGE': {
        const [from = 0, to = -1] = rest.map(Number)
        return list().slice(from, to === -1 ? undefined : to + 1)
      }
      case 'LTRIM':
        return { status: 'OK' }
      case 'HSET': {
        for (let at = 0; at < rest.length; at += 2) hash().set(rest[at]!, rest[at + 1] ?? '')
        return rest.length / 2
      }
      case 'HGET':
        return hash().get(rest[0] ?? '') ?? null
      case 'HGETALL':
        return [...hash()].flat()
      case 'PUBLISH':
        return 0
      case 'INFO':
        return 'redis_version:7.0.0\r\nredis_mode:standalone\r\n'
      case 'HELLO':
        return new Error('ERR unknown command')
      default:
        return { status: 'OK' }
    }
  }
  return createServer((socket) => {
    let pending = Buffer.alloc(0)
    socket.on('error', () => socket.destroy())
    socket.on('data', (more) => {
      pending = Buffer.concat([pending, more])
      for (let read = commandIn(pending); read; read = commandIn(pending)) {
        pending = pending.subarray(read.length)
        const [name = '', ...args] = read.words
        const began = performance.now()
        socket.write(written(run(name.toUpperCase(), args)))
        took(name.toUpperCase(), performance.now() - began)
      }
    })
  })
}

/** One command at the beginning of the bytes; null while it is not whole. */
function commandIn(bytes: Buffer): { words: string[]; length: number } | null {
  const lineEnd = (from: number) => bytes.indexOf('\r\n', from)
  if (bytes.length === 0) return null
  if (bytes[0] !== 0x2a) {
    const end = lineEnd(0)
    return end < 0 ? null : { words: bytes.toString('utf8', 0, end).split(' '), length: end + 2 }
  }
  let at = lineEnd(0)
  if (at < 0) return null
  const count = Number(bytes.toString('utf8', 1, at))
  at += 2
  const words: string[] = []
  for (let index = 0; index < count; index++) {
    const end = lineEnd(at)
    if (end < 0) return null
    const length = Number(bytes.toString('utf8', at + 1, end))
    if (bytes.length < end + 2 + length + 2) return null
    words.push(bytes.toString('utf8', end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
  return { words, length: at }
}

function written(value: unknown): string {
  if (value === null || value === undefined) return '$-1\r\n'
  if (value instanceof Error) return `-${value.message}\r\n`
  if (typeof value === 'number') return `:${value}\r\n`
  if (typeof value === 'string') return `$${Buffer.byteLength(value)}\r\n${value}\r\n`
  if (Array.isArray(value)) return `*${value.length}\r\n${value.map(written).join('')}`
  return `+${(value as { status: string }).status}\r\n`
}
