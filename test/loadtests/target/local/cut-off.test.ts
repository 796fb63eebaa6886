import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cutOff } from '../../../../loadtests/src/target/local/cut-off.ts'
import { machineNetwork, type Network } from '../../../../loadtests/src/target/local/network.ts'
import type { Pod } from '../../../../loadtests/src/target/local/pod.ts'

/** A real network without another use. Only root has one: others skip that, by name. */

const ifRoot = process.getuid?.() === 0 ? test : test.skip
const podAt = (port: number, network: Network) => ({ network, ports: new Map([[6379, port]]) }) as unknown as Pod

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

ifRoot(
  'nothing reaches a pod that is cut off, and no connection to it ends',
  async () => {
    const holder = start(['unshare', '--net', 'sh', '-c', 'ip link set lo up && echo up && exec sleep infinity'])
    await says(holder)
    const network: Network = {
      address: '127.0.0.1',
      enter: (argv) => ['nsenter', `--net=/proc/${holder.pid}/ns/net`, ...argv],
    }
    const server = start(
      network.enter(
        node(`const server = require('net').createServer((client) => client.pipe(client))
        server.listen(0, '127.0.0.1', () => console.log(server.address().port))`),
      ),
    )
    const port = Number(await says(server))
    // Says every half second what came back of what it sent, or why its connection ended.
    const client = start(
      network.enter(
        node(`const client = require('net').connect(${port}, '127.0.0.1'); let heard = 0
        client.on('data', () => heard++).on('error', ({ code }) => console.log(code))
        client.on('end', () => console.log('end'))
        setInterval(() => client.write('.'), 20)
        setInterval(() => { console.log(heard ? 'hears' : 'silent'); heard = 0 }, 500)`),
      ),
    )
    const until = async (state: string) => {
      for (;;) {
        const said = await says(client)
        if (said === state) return
        expect(['hears', 'silent']).toContain(said)
      }
    }
    await until('hears')
    const end = await cutOff([podAt(port, network)])
    await until('silent')
    await end()
    await until('hears')
  },
  30_000,
)

test('a pod in the machine’s own network is not cut off, since others use that', async () => {
  await expect(cutOff([podAt(1, machineNetwork)])).rejects.toMatchObject({ code: 'fault-needs-own-network' })
})
