/** The mock as a process of its own: HOST and PORT are where it listens, OUTSIDE a file that says what it is to be. */
import { readFileSync, writeFileSync } from 'node:fs'
import { makeAuthority } from '../certificates.ts'
import { beside } from './beside.ts'
import type { OutsideOrder, Ports } from '../../../model/outside.ts'
import { mock } from './mock.ts'

/** `authority`: where the certificate goes that n8n is to believe. `ports`: of what is no HTTP. */
const {
  authority: file,
  ports,
  ...order
} = JSON.parse(readFileSync(process.env.OUTSIDE!, 'utf8')) as Omit<OutsideOrder, 'allow'> & {
  authority: string
  ports?: Ports
}
const authority = await makeAuthority()
writeFileSync(file, authority.certificate, { mode: 0o644 })
const server = mock(order, authority)
const host = process.env.HOST ?? '127.0.0.1'
if (ports) for (const [one, port] of beside(order.hints ?? [], ports, server)) one.listen(port, host)
server.listen(Number(process.env.PORT), host, 4096)
