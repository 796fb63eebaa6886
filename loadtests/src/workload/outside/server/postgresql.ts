import type { Server, Socket } from 'node:net'
import type { Hint } from '../../../model/outside.ts'
import { answerSql, databaseServer, type SqlAnswer } from './sql.ts'

/** A PostgreSQL without tables, which answers any query in form: protocol 3. */
export const emptyPostgresql = (
  hints: Hint[],
  took: (verb: string, ms: number) => void,
  wait: () => Promise<void>,
): Server => databaseServer((socket) => serve(socket, hints, took, wait))

const text = (value: string) => Buffer.from(`${value}\0`)
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const int16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
const message = (kind: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body])
}

const ready = message('Z', Buffer.from('I'))
const greeting = Buffer.concat([
  message('R', int32(0)),
  ...Object.entries({
    server_version: '15.0',
    client_encoding: 'UTF8',
    DateStyle: 'ISO, MDY',
    TimeZone: 'UTC',
    integer_datetimes: 'on',
    standard_conforming_strings: 'on',
  }).map(([name, value]) => message('S', text(name), text(value))),
  message('K', int32(1), int32(1)),
  ready,
])
const requests = { ssl: 80_877_103, cancel: 80_877_102, encrypt: 80_877_104 }

function serve(
  socket: Socket,
  hints: Hint[],
  took: (verb: string, ms: number) => void,
  wait: () => Promise<void>,
): void {
  let pending = Buffer.alloc(0)
  let begun = false
  let busy: Promise<void> = Promise.resolve()
  const prepared = new Map<string, string>()
  let bound = ''

  socket.on('data', (more) => {
    pending = Buffer.concat([pending, more])
    for (;;) {
      const head = begun ? 1 : 0
      if (pending.length < head + 4) return
      const length = pending.readInt32BE(head)
      if (pending.length < head + length) return
      const kind = begun ? String.fromCharCode(pending[0]!) : ''
      const body = pending.subarray(head + 4, head + length)
      pending = pending.subarray(head + length)
      if (!begun) {
        const code = body.readInt32BE(0)
        if (code === requests.ssl || code === requests.encrypt) socket.write('N')
        else {
          begun = true
          socket.write(greeting)
        }
        continue
      }
      busy = busy.then(() => handle(kind, Buffer.from(body)))
    }
  })

  async function handle(kind: string, body: Buffer): Promise<void> {
    const strings = body.toString('utf8').split('\0')
    switch (kind) {
      case 'Q': {
        const began = performance.now()
        await wait()
        const statements = strings[0]!.split(/;\s*(?=\S)/).filter((one) => one.trim() !== '')
        for (const sql of statements.length ? statements : ['']) {
          const answer = answerSql(sql, 'Postgres', hints)
          if (answer.columns.length) socket.write(described(answer))
          socket.write(Buffer.concat([...answer.rows.map(row), message('C', text(answer.tag))]))
          took(sql.trim().split(/\s/)[0]!.toUpperCase(), performance.now() - began)
        }
        socket.write(ready)
        return
      }
      case 'P':
        prepared.set(strings[0]!, strings[1] ?? '')
        socket.write(message('1'))
        return
      case 'B':
        bound = prepared.get(strings[1] ?? '') ?? ''
        socket.write(message('2'))
        return
      case 'D': {
        const sql = strings[0]!.startsWith('S') ? (prepared.get(strings[0]!.slice(1)) ?? '') : bound
        const answer = answerSql(sql, 'Postgres', hints)
        const count = new Set(sql.match(/\$\d+/g) ?? []).size
        if (strings[0]!.startsWith('S'))
          socket.write(message('t', int16(count), ...Array.from({ length: count }, () => int32(25))))
        socket.write(answer.columns.length ? described(answer) : message('n'))
        return
      }
      case 'E': {
        const began = performance.now()
        await wait()
        const answer = answerSql(bound, 'Postgres', hints)
        socket.write(Buffer.concat([...answer.rows.map(row), message('C', text(answer.tag))]))
        took(bound.trim().split(/\s/)[0]!.toUpperCase(), performance.now() - began)
        return
      }
      case 'S':
        socket.write(ready)
        return
      case 'C':
        socket.write(message('3'))
        return
      case 'X':
        socket.end()
    }
  }
}

/** Numbers of types, by which a client reads a text. */
const typeOf = (value: unknown) =>
  typeof value === 'number'
    ? 701
    : typeof value === 'boolean'
      ? 16
      : typeof value === 'object' && value !== null
        ? 3802
        : 25

function described({ columns, rows }: SqlAnswer): Buffer {
  const fields = columns.flatMap((name, index) => [
    text(name),
    int32(0),
    int16(0),
    int32(typeOf(rows[0]?.[index])),
    int16(-1),
    int32(-1),
    int16(0),
  ])
  return message('T', int16(columns.length), ...fields)
}

function row(values: unknown[]): Buffer {
  const cells = values.flatMap((value) => {
    if (value === null || value === undefined) return [int32(-1)]
    const bytes = Buffer.from(
      typeof value === 'boolean'
        ? value
          ? 't'
          : 'f'
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value),
    )
    return [int32(bytes.length), bytes]
  })
  return message('D', int16(values.length), ...cells)
}
