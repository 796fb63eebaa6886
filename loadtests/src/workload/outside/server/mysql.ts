import type { Server, Socket } from 'node:net'
import type { Hint } from '../../../model/outside.ts'
import { answerSql, databaseServer } from './sql.ts'

/** A MySQL without tables, which answers any query in form: protocol 4.1, texts only. */
export const mysqlServer = (
  hints: Hint[],
  took: (verb: string, ms: number) => void,
  wait: () => Promise<void>,
): Server => databaseServer((socket) => serve(socket, hints, took, wait))

/** Long passwords, a database at the connection, protocol 4.1, transactions, several statements, plugins. */
const abilities = 0x1 | 0x8 | 0x200 | 0x2000 | 0x8000 | 0x10000 | 0x20000 | 0x80000
const charset = 0x2d
const varString = 0xfd

const lenenc = (value: number): Buffer => {
  if (value < 251) return Buffer.from([value])
  const bytes = Buffer.alloc(value < 65_536 ? 3 : 4)
  bytes[0] = value < 65_536 ? 0xfc : 0xfd
  bytes.writeUIntLE(value, 1, bytes.length - 1)
  return bytes
}
const lenencText = (value: string) => Buffer.concat([lenenc(Buffer.byteLength(value)), Buffer.from(value)])
const ok = Buffer.from([0x00, 0x01, 0x00, 0x02, 0x00, 0x00, 0x00])
const eof = Buffer.from([0xfe, 0x00, 0x00, 0x02, 0x00])

function serve(
  socket: Socket,
  hints: Hint[],
  took: (verb: string, ms: number) => void,
  wait: () => Promise<void>,
): void {
  let pending = Buffer.alloc(0)
  let sequence = 0
  let greeted = false
  let busy: Promise<void> = Promise.resolve()
  const prepared = new Map<number, string>()
  const send = (...payloads: Buffer[]) =>
    void socket.write(
      Buffer.concat(
        payloads.flatMap((payload) => {
          const head = Buffer.alloc(4)
          head.writeUIntLE(payload.length, 0, 3)
          head[3] = sequence++ & 0xff
          return [head, payload]
        }),
      ),
    )

  const seed = Buffer.from('mock-of-twenty-bytes')
  const capabilities = Buffer.alloc(4)
  capabilities.writeUInt32LE(abilities)
  send(
    Buffer.concat([
      Buffer.from([10]),
      Buffer.from('8.0.0-mock\0'),
      Buffer.from([1, 0, 0, 0]),
      seed.subarray(0, 8),
      Buffer.from([0]),
      capabilities.subarray(0, 2),
      Buffer.from([charset, 2, 0]),
      capabilities.subarray(2),
      Buffer.from([21]),
      Buffer.alloc(10),
      seed.subarray(8),
      Buffer.from([0]),
      Buffer.from('mysql_native_password\0'),
    ]),
  )
  socket.on('data', (more) => {
    pending = Buffer.concat([pending, more])
    while (pending.length >= 4) {
      const length = pending.readUIntLE(0, 3)
      if (pending.length < 4 + length) return
      const number = pending[3]!
      const body = Buffer.from(pending.subarray(4, 4 + length))
      pending = pending.subarray(4 + length)
      busy = busy.then(() => handle(number, body))
    }
  })

  async function handle(number: number, body: Buffer): Promise<void> {
    sequence = number + 1
    if (!greeted) {
      greeted = true
      return send(ok)
    }
    switch (body[0]) {
      case 0x01:
        socket.end()
        return
      case 0x03:
        return answer(body.toString('utf8', 1), false)
      case 0x16: {
        const sql = body.toString('utf8', 1)
        const id = prepared.size + 1
        prepared.set(id, sql)
        const count = (sql.match(/\?/g) ?? []).length
        const head = Buffer.alloc(12)
        head.writeUInt32LE(id, 1)
        head.writeUInt16LE(count, 7)
        return send(head, ...(count ? [...Array.from({ length: count }, () => definition('?')), eof] : []))
      }
      case 0x17:
        return answer(prepared.get(body.readUInt32LE(1)) ?? '', true)
      case 0x19:
        return
      default:
        send(ok)
    }
  }

  async function answer(sql: string, binary: boolean): Promise<void> {
    const began = performance.now()
    await wait()
    const { columns, rows } = answerSql(sql, 'MySQL', hints)
    took(sql.trim().split(/\s/)[0]!.toUpperCase(), performance.now() - began)
    if (!columns.length) return send(ok)
    send(
      lenenc(columns.length),
      ...columns.map(definition),
      eof,
      ...rows.map((row) => (binary ? binaryRow(row) : textRow(row))),
      eof,
    )
  }
}

const written = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : typeof value === 'boolean' ? String(Number(value)) : String(value)

const textRow = (row: unknown[]) =>
  Buffer.concat(
    row.map((value) => (value === null || value === undefined ? Buffer.from([0xfb]) : lenencText(written(value)))),
  )

function binaryRow(row: unknown[]): Buffer {
  const nulls = Buffer.alloc(Math.floor((row.length + 9) / 8))
  row.forEach((value, index) => {
    if (value === null || value === undefined) nulls[(index + 2) >> 3]! |= 1 << ((index + 2) & 7)
  })
  const values = row.filter((value) => value !== null && value !== undefined).map((value) => lenencText(written(value)))
  return Buffer.concat([Buffer.from([0]), nulls, ...values])
}

function definition(name: string): Buffer {
  const rest = Buffer.alloc(13)
  rest[0] = 0x0c
  rest.writeUInt16LE(charset, 1)
  rest.writeUInt32LE(1024, 3)
  rest[7] = varString
  return Buffer.concat([
    lenencText('def'),
    lenencText(''),
    lenencText(''),
    lenencText(''),
    lenencText(name),
    lenencText(name),
    rest,
  ])
}
