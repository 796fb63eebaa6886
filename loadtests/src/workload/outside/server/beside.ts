import { createServer, type Server as NetServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Hint, Ports } from '../../../model/outside.ts'
import { draw } from '../latency.ts'
import { mysqlServer } from './mysql.ts'
import { emptyPostgresql } from './postgresql.ts'
import { emptyRedis } from './redis.ts'
import { smtpServer } from './smtp.ts'
import { answeredAt, type MockServer } from './mock.ts'

/** Assumed: servers in the same network. */
const times = { mail: { p50: 150, p95: 500 }, query: { p50: 3, p95: 15 } }

/** A server for each, with its port. */
export function beside(hints: Hint[], ports: Ports, main: MockServer): [NetServer, number][] {
  const after = (time: { p50: number; p95: number }) => () => wait(draw(time, Math.random))
  const took = (host: string) => (method: string, ms: number) => main.note({ host, method, path: '' }, ms)
  // Its client speaks HTTP, and goes by no proxy.
  const qdrant = createServer((socket) => {
    answeredAt(main, socket, 'qdrantapi.mock.test')
  })
  return [
    [smtpServer(took('a mail server'), after(times.mail)), ports.smtp],
    [emptyPostgresql(hints, took('PostgreSQL'), after(times.query)), ports.postgres],
    [mysqlServer(hints, took('MySQL'), after(times.query)), ports.mysql],
    [emptyRedis(took('Redis')), ports.redis],
    [qdrant, ports.qdrant],
  ]
}
