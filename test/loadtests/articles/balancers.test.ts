import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { until } from '../../../loadtests/src/lib/await.ts'
import { freePorts } from '../../../loadtests/src/lib/ports.ts'
import { balancers } from '../../../loadtests/articles/balancers.ts'
import type { Network } from '../../../loadtests/src/targets/local/network.ts'
import { makePost, type Posted } from '../../support/balance/post.ts'
import { kill } from '../../support/kill.ts'
import { refusalOf } from '../../support/refusal.ts'

/**
 * Real balancers before real servers (tools/install-servers). Only root has a network namespace: others skip iptables,
 * by name.
 */

const support = join(import.meta.dirname, '../../support/balance')
const isRoot = process.getuid?.() === 0
type Kind = keyof typeof balancers
const kinds: Kind[] = isRoot ? ['node', 'nginx', 'iptables'] : ['node', 'nginx']

let post: Posted
const replicas: ChildProcess[] = []
afterEach(async () => {
  for (const replica of replicas.splice(0)) await kill(replica)
  await post?.close()
})

/** Without keep-alive: every request is a connection of its own. */
async function answer(url: string): Promise<string> {
  const [response] = await once(get(url, { agent: false }), 'response')
  return text(response)
}

async function answers(url: string, count: number): Promise<Record<string, number>> {
  const spread: Record<string, number> = {}
  for (let request = 0; request < count; request++) {
    const from = await answer(url)
    spread[from] = (spread[from] ?? 0) + 1
  }
  return spread
}

async function startReplica(port: number, { enter, address }: Network): Promise<ChildProcess> {
  const [command, ...args] = enter([process.execPath, join(support, 'replica.mjs'), String(port)])
  const child = spawn(command!, args, { stdio: 'inherit' })
  replicas.push(child)
  if (
    !(await until(
      () =>
        answer(`http://${address}:${port}`).then(
          () => true,
          () => false,
        ),
      { timeout: 10_000, every: 20 },
    ))
  )
    throw new Error('Expected the replica to answer within 10 s, got nothing')
  return child
}

async function balancing(kind: Kind, count: number) {
  post = await makePost()
  const { network, balance } = await balancers[kind](post)
  const [port, ...backends] = (await freePorts(count + 1)) as [number, ...number[]]
  const children = await Promise.all(backends.map((backend) => startReplica(backend, network)))
  const process = await balance([{ component: 'webhook', port, backends }])
  return { url: `http://${network.address}:${port}`, backends, children, process, network }
}

describe.each(kinds)('%s', (kind) => {
  test('gives every replica the same share of connections', async () => {
    const { url, backends } = await balancing(kind, 3)
    expect(await answers(url, 12)).toEqual(Object.fromEntries(backends.map((port) => [port, 4])))
  })

  test('is a process of its own, whose memory and CPU can be told', async () => {
    const { process: balancer } = await balancing(kind, 2)
    const { rss, pids, cpuSeconds } = await balancer.usage()
    expect(balancer).toMatchObject({ name: 'balancer', serves: false })
    expect(rss).toBeGreaterThan(100_000)
    expect(pids).toBeGreaterThanOrEqual(1)
    expect(cpuSeconds).not.toBeNull()
    expect(post.events).toMatchObject([{ process: 'balancer', kind: 'started' }])
  })
})

describe.each(kinds.filter((kind) => kind !== 'iptables'))('%s, of whose replicas one is killed,', (kind) => {
  test('sends its share to the others, and to it again once it is back', async () => {
    const { url, backends, children, network } = await balancing(kind, 3)
    await kill(children[0]!)
    const without = await answers(url, 9)
    expect(Object.keys(without).sort()).toEqual(backends.slice(1).map(String).sort())
    await startReplica(backends[0]!, network)
    expect(await until(async () => (await answer(url)) === String(backends[0]), { timeout: 5000, every: 20 })).toBe(
      true,
    )
  })
})

const describeNamespace = isRoot ? describe : describe.skip

describeNamespace('iptables', () => {
  test('has a network of its own: the machine’s has neither its rules nor its replicas', async () => {
    const { url, backends } = await balancing('iptables', 2)
    await expect(answer(`http://127.0.0.1:${backends[0]}`)).rejects.toThrow('ECONNREFUSED')
    await expect(answer(url.replace(/\/\/[^:]+/, '//127.0.0.1'))).rejects.toThrow('ECONNREFUSED')
  })

  test('lets callers from outside seem to come from loopback, as PostgreSQL demands', async () => {
    const { url } = await balancing('iptables', 2)
    expect(await answer(`${url}/from`)).toBe('127.0.0.1')
  })

  test('balances callers inside its network too', async () => {
    const { url, network, backends } = await balancing('iptables', 2)
    const [command, ...args] = network.enter([
      process.execPath,
      '-e',
      `fetch('http://127.0.0.1:${new URL(url).port}').then((answer) => answer.text()).then(console.log)`,
    ])
    expect(backends.map(String)).toContain(
      (await text(spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout!)).trim(),
    )
  })
})

test('a balancer that cannot begin is told, with what it said', async () => {
  post = await makePost()
  const { balance } = await balancers.nginx(post)
  const twice = { component: 'webhook', port: 1, backends: [1] }
  const refusal = await refusalOf(() => balance([twice, twice]))
  expect(refusal).toMatchObject({ code: 'balancer-failed' })
  expect(refusal.log.join('\n')).toContain('duplicate upstream')
})
