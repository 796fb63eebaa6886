/**
 * The lab's process, as far as a balancer goes: opens the one that iptables play, says its link's name, and waits to be
 * killed.
 */
import { nextLink } from '../../../loadtests/src/targets/local/balance/namespace.ts'
import { openBalancer } from '../../../loadtests/src/targets/local/balance/balancer.ts'
import { makePost } from './post.ts'

await openBalancer(await makePost('iptables'))
process.stdout.write(nextLink(process.pid, 0).name)
setInterval(() => {}, 1000)
