import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { dropPackets } from '../../../../../loadtests/src/targets/local/faults.ts'
import { machineNetwork, type Network } from '../../../../../loadtests/src/targets/local/network.ts'
import type { LocalPod } from '../../../../../loadtests/src/targets/local/pod.ts'

/** A real network without another use. Only root has one: others skip that, by name. */

const ifRoot = process.getuid?.() === 0 ? test : test.skip
const podAt = (port: number, network: Network) => ({ network, ports: new Map([[6379, port]]) }) as unknown as LocalPod

const children: ChildProcess[] = []
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')))

function start(argv: string[]): ChildProcess {
  const [command, ...args] = argv
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

const says = async (child: ChildProcess) => String((await once(child.stdout!, 'data'))[0]).trim()
const node = (script: string) => [process.execPath, '-e', script]

/** A server that echoes, and a client that says how long its messages take, in a network of their own. */
async function echo() {
  const holder = start(['unshare', '--net', 'sh', '-c', 'ip link set lo up && echo up && exec sleep infinity'])
  await says(holder)
  const enter = (argv: string[]) => ['nsenter', `--net=/proc/${holder.pid}/ns/net`, ...argv]
  const network: Network = { ...machineNetwork, enter, join: enter, holder: holder.pid! }
  const server = start(
    network.enter(
      node(`const server = require('net').createServer((client) => client.pipe(client))
      server.listen(0, '127.0.0.1', () => console.log(server.address().port))`),
    ),
  )
  const port = Number(await says(server))
  // Says every half second how the echoes were since then, or why its connection ended.
  const client = start(
    network.enter(
      node(`const client = require('net').connect(${port}, '127.0.0.1'); let times = [], sent
      const send = () => { sent = performance.now(); client.write('.') }
      client.on('connect', send)
      client.on('data', () => { times.push(performance.now() - sent); setTimeout(send, 5) })
      client.on('error', ({ code }) => console.log(code)).on('end', () => console.log('end'))
      setInterval(() => {
        console.log(times.length === 0 ? 'silent' : Math.max(...times) > 150 ? 'late' : 'prompt')
        times = []
      }, 500)`),
    ),
  )
  const until = async (state: string) => {
    for (;;) {
      const said = await says(client)
      if (said === state) return
      expect(['prompt', 'late', 'silent']).toContain(said)
    }
  }
  return { pod: podAt(port, network), until }
}

ifRoot(
  'nothing reaches a pod that is cut off, and no connection to it ends',
  async () => {
    const { pod, until } = await echo()
    await until('prompt')
    const end = await dropPackets([pod], 'cut-off')
    await until('silent')
    await end()
    await until('prompt')
  },
  30_000,
)

ifRoot(
  'where the network is lossy, answers come late and no connection ends',
  async () => {
    const { pod, until } = await echo()
    await until('prompt')
    const end = await dropPackets([pod], 'lossy')
    await until('late')
    await until('late')
    await end()
    await until('prompt')
  },
  30_000,
)

test('a pod in the machine’s own network is not cut off, since others use that', async () => {
  await expect(dropPackets([podAt(1, machineNetwork)], 'cut-off')).rejects.toMatchObject({
    code: 'fault-needs-own-network',
  })
})
