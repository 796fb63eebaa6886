import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { freePorts } from '../../../loadtests/src/lib/ports.ts'

test('ports that are free can be listened on, and none is given twice', async () => {
  const ports = await freePorts(20)
  expect(new Set(ports).size).toBe(20)
  for (const port of ports) {
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    server.close()
  }
})

test('none are asked for, none are given', async () => {
  expect(await freePorts(0)).toEqual([])
})

test('the kernel gives none of them to an outgoing connection', async () => {
  const [lowest] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s/).map(Number)
  expect(Math.max(...(await freePorts(50)))).toBeLessThan(lowest!)
})

test('gives no port twice, although nothing listens there that it could see', async () => {
  const ports: number[] = []
  for (let call = 0; call < 100; call++) ports.push(...(await freePorts(10)))
  expect(new Set(ports).size).toBe(ports.length)
})
