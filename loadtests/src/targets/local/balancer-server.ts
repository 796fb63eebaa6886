/** A process that passes connections on, with one port for every front in FRONTS. */
import type { Front } from './machine.ts'
import { roundRobin } from './round-robin.ts'

for (const { port, backends } of JSON.parse(process.env.FRONTS!) as Front[])
  roundRobin(backends).listen(port, '127.0.0.1')
