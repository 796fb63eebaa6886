import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LocalImage } from '../../../../../loadtests/src/targets/local/images.ts'
import { machineNetwork, type Network } from '../../../../../loadtests/src/targets/local/network.ts'
import { openOutside, type PlanOutside } from '../../../../../loadtests/src/targets/local/outside/outside.ts'
import { meansHere, openSealed } from '../../../../../loadtests/src/targets/local/sealed.ts'
import { makePost, type Posted } from '../../../../support/balance/post.ts'
import { OutsideRule, type OutsideOrder } from '../../../../../loadtests/src/model/outside.ts'

/** A real mock in a real network. Where the machine makes none, others skip that, by name. */

const seals = (await meansHere()).missing === null
const ifSealed = seals ? test : test.skip
const n8n: LocalImage = { kind: 'n8n', entrypoint: [process.execPath], env: {}, listens: {}, user: null }
const rules = [OutsideRule.parse({ host: 'api.example.com', body: 'stood in' })]

let post: Posted
afterEach(() => post?.close())

interface Opened extends PlanOutside {
  network: Network
}

async function open(order: Partial<OutsideOrder> = {}): Promise<Opened> {
  post = await makePost()
  const network = seals ? await openSealed('closed', [post.folder], post) : machineNetwork
  const place = { network, folder: post.folder, user: null }
  return { network, ...(await openOutside({ rules, allow: [], record: null, ...order }, () => [], post, place)) }
}

/** What a program says that runs where n8n would, with the variables that n8n gets. */
async function inside({ network, leading }: Opened, script: string): Promise<string> {
  const [command, ...args] = network.enter([process.execPath, '-e', script])
  const env = { PATH: process.env.PATH, ...leading(n8n).forced }
  return new Promise((resolve) =>
    execFile(command!, args, { env, timeout: 20_000 }, (_, stdout, stderr) => resolve(stdout.trim() || stderr)),
  )
}

const fetching = (url: string) =>
  `fetch(${JSON.stringify(url)}).then(async (r) => console.log(r.status, await r.text()), (e) => `
  + 'console.log(e.cause?.code ?? e.message))'
const connecting = (host: string, port: number) =>
  `require('net').connect(${port}, ${JSON.stringify(host)}).on('error', (e) => `
  + `console.log(e.code)).on('connect', () => { console.log('connected'); process.exit() })`

test.each(['http', 'https'])('what n8n asks by %s is answered here', async (scheme) => {
  const outside = await open()
  expect(await inside(outside, fetching(`${scheme}://api.example.com/x`))).toBe('200 stood in')
  expect((await outside.count())!.calls).toMatchObject([{ host: 'api.example.com', outcome: 'answered', count: 1 }])
})

ifSealed('what does not go by the proxy gets nowhere, and is counted', async () => {
  const outside = await open()
  expect(await inside(outside, connecting('203.0.113.1', 5432))).toBe('ENETUNREACH')
  const machine = createServer().listen(0, '127.0.0.1')
  await once(machine, 'listening')
  expect(await inside(outside, connecting('127.0.0.1', (machine.address() as AddressInfo).port))).toBe('ECONNREFUSED')
  machine.close()
  expect((await outside.count())!.turnedAway).toBeGreaterThanOrEqual(1)
})

ifSealed('names are not asked for outside', async () => {
  const outside = await open()
  expect(await inside(outside, `require('dns').lookup('example.com', (e) => console.log(e.code))`)).toMatch(
    /EAI_AGAIN|ENOTFOUND/,
  )
})

test('what is allowed is not asked through the proxy', async () => {
  const { forced } = (await open({ allow: ['db.example.com:5432'] })).leading(n8n)
  expect(forced).toMatchObject({
    NO_PROXY: '127.0.0.1,::1,db.example.com',
    no_proxy: '127.0.0.1,::1,db.example.com',
    HTTPS_PROXY: expect.stringMatching(/^http:\/\/127/),
  })
  expect(existsSync(forced!.NODE_EXTRA_CA_CERTS!)).toBe(true)
})

test('a database is not led to it', async () => {
  const store: LocalImage = { ...n8n, kind: 'redis' }
  expect((await open()).leading(store)).toBe(store)
})

test('a container with a root of its own is shown the certificate', async () => {
  const { forced, binds } = (await open()).leading({ ...n8n, id: 'sha256:1' })
  const [[inContainer, folder]] = Object.entries(binds!) as [[string, string]]
  expect(forced!.NODE_EXTRA_CA_CERTS).toBe(`${inContainer}/authority.pem`)
  expect(existsSync(`${folder}/authority.pem`)).toBe(true)
})
