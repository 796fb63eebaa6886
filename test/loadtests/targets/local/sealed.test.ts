import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf, until } from '../../../../loadtests/src/lib/await.ts'
import { freePorts } from '../../../../loadtests/src/lib/ports.ts'
import { allListen, type Network, type Reach } from '../../../../loadtests/src/targets/local/network.ts'
import { meansHere, openSealed } from '../../../../loadtests/src/targets/local/sealed.ts'
import { asUser } from '../../../../loadtests/src/targets/local/volumes.ts'
import { startBeside } from '../../../../loadtests/src/targets/local/beside.ts'
import { makePost, type Posted } from '../../../support/balance/post.ts'

/** Real namespaces. A machine that makes none skips them, by name. */

const ifSealed = (await meansHere()).missing === null ? test : test.skip

const posts: Posted[] = []
afterEach(async () => {
  for (const post of posts.splice(0)) await post.close()
})

async function seal(reach: Reach = 'closed'): Promise<{ post: Posted; network: Network }> {
  const post = await makePost()
  posts.push(post)
  return { post, network: await openSealed(reach, [post.folder], post) }
}

const says = ([command, ...args]: string[]): Promise<string> =>
  new Promise((resolve) =>
    execFile(command!, args, { timeout: 20_000 }, (_, stdout, stderr) => resolve((stdout || stderr).trim())),
  )
const node = (script: string) => [process.execPath, '-e', script]
const connecting = (where: object) =>
  node(`require('net').connect(${JSON.stringify(where)}).on('error', (e) => console.log(e.code))
    .on('connect', () => { console.log('connected'); process.exit() })`)

const server = (port: number, text: string) =>
  node(`require('http').createServer((_, answer) => answer.end('${text}')).listen(${port}, '0.0.0.0')`)

/** A server in the network, once it listens. */
async function serve(
  { post, network }: Awaited<ReturnType<typeof seal>>,
  port: number,
  text: string,
  by: string[] = [],
): Promise<void> {
  await network.open([port])
  await startBeside('server', network.enter([...by, ...server(port, text)]), {}, post)
  await until(async () => allListen(network, [port]), { timeout: 20_000, every: 20 })
}

ifSealed('the lab and the generator reach a server in it at one address, and two stand side by side', async () => {
  const [one, other] = [await seal(), await seal()]
  const [port] = (await freePorts(1)) as [number]
  await serve(one, port, 'one')
  await serve(other, port, 'other')
  const urls = [one, other].map(({ network }) => `http://${network.address}:${port}/`)
  expect(await Promise.all(urls.map((url) => textOf(url, 5000)))).toEqual(['one', 'other'])
  const fetching = node(`fetch('${urls[0]}').then(async (answer) => console.log(await answer.text()))`)
  expect(await says(one.network.join(fetching))).toBe('one')
})

ifSealed('nothing in it reaches the machine or what is beyond', async () => {
  const { network } = await seal()
  const machine = createServer().listen(0, '127.0.0.1')
  await once(machine, 'listening')
  const { port } = machine.address() as AddressInfo
  expect(await says(network.enter(connecting({ port, host: '127.0.0.1' })))).toBe('ECONNREFUSED')
  expect(await says(network.enter(connecting({ port: 80, host: '203.0.113.1' })))).toBe('ENETUNREACH')
  expect(await says(network.enter(connecting({ port: 80, host: '2001:db8::1' })))).toMatch(/ENETUNREACH|EADDRNOTAVAIL/)
  machine.close()
})

ifSealed('it is made where PATH is a folder of links that is not in it', async () => {
  const links = await mkdtemp(join(tmpdir(), 'links-'))
  const places = ['/sbin', '/bin', '/usr/sbin', '/usr/bin']
  const found = await Promise.all(
    places.map(async (place) => (await readdir(place)).map((name) => [name, place] as const)),
  )
  for (const [name, place] of new Map(found.flat())) await symlink(join(place, name), join(links, name))
  const { PATH } = process.env
  process.env.PATH = links
  try {
    const sealed = await seal()
    const [port] = (await freePorts(1)) as [number]
    await serve(sealed, port, 'runs', ['env'])
    expect(await textOf(`http://${sealed.network.address}:${port}/`, 5000)).toBe('runs')
  } finally {
    process.env.PATH = PATH
  }
})

ifSealed('sockets and files of the machine are not in it, and programs are', async () => {
  const { network, post } = await seal()
  const folder = await mkdtemp(join(tmpdir(), 'of-others-'))
  const path = join(folder, 'socket')
  const machine = createServer().listen(path)
  await once(machine, 'listening')
  await writeFile(join(folder, 'file'), 'of others')
  expect(await says(connecting({ path }))).toBe('connected')
  expect(await says(network.enter(connecting({ path })))).toBe('ENOENT')
  expect(await says(network.enter(['cat', join(folder, 'file')]))).toContain('No such file')
  machine.close()
  await rm(folder, { recursive: true })
  await mkdir(join(post.folder, 'own'))
  expect(await says(network.enter(['sh', '-c', 'echo written > own && cat own'], join(post.folder, 'own')))).toContain(
    '',
  )
  expect(await says(network.enter(['touch', '/usr/of-ours']))).toContain('Read-only')
})

const unseen = /Permission denied|No such file/

ifSealed('what runs in it cannot look into the door that leads to it', async () => {
  const { network } = await seal()
  const { user } = await meansHere()
  const as = asUser(user, [])
  expect(await says(network.enter([...as, 'ls', `/proc/${network.holder}/fd/`]))).toMatch(unseen)
  expect(await says(network.enter([...as, 'ls', `/proc/${process.pid}/root/`]))).toMatch(unseen)
})

ifSealed('what runs in it gains no rights, and shares no memory with the machine’s programs', async () => {
  const { network } = await seal()
  expect(await says(network.enter(['grep', 'NoNewPrivs', '/proc/self/status']))).toBe('NoNewPrivs:\t1')
  expect(await says(network.enter(['readlink', '/proc/self/ns/ipc']))).not.toBe(await readlink('/proc/self/ns/ipc'))
})

const asRoot = process.getuid?.() === 0
const ifRoot = asRoot ? ifSealed : test.skip
const ifPlain = asRoot ? test.skip : ifSealed

ifRoot('as root, n8n is a user that nothing else is, and sees and ends no other process', async () => {
  const { network } = await seal()
  const { user } = await meansHere()
  expect(await says(['getent', 'passwd', String(user!.uid)])).toBe('')
  const nobodys = spawn('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', 'sleep', '60'])
  await once(nobodys, 'spawn')
  const within = (argv: string[]) => says(network.enter(asUser(user, argv)))
  expect(await within(node(`try { process.kill(${nobodys.pid}) } catch ({ code }) { console.log(code) }`))).toBe(
    'EPERM',
  )
  const seen = await within(node(`console.log(fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length)`))
  nobodys.kill()
  expect(Number(seen)).toBe(1)
})

ifPlain('as a plain user, no namespaces are made in it', async () => {
  const { network } = await seal()
  expect(await says(network.enter(['unshare', '--user', 'true']))).toMatch(/No space left|not permitted/)
})

ifSealed('where the user asked for the real services, it has the machine’s network and none of its files', async () => {
  const { network } = await seal('open')
  const machine = createServer().listen(0, '127.0.0.1')
  await once(machine, 'listening')
  const { port } = machine.address() as AddressInfo
  expect(network.address).toBe('127.0.0.1')
  expect(await says(network.enter(connecting({ port, host: '127.0.0.1' })))).toBe('connected')
  expect(await says(network.enter(['ls', import.meta.dirname]))).toContain('No such file')
  machine.close()
})

ifSealed('a connection to nobody ends, as one that is refused', async () => {
  const { network } = await seal()
  const [port] = (await freePorts(1)) as [number]
  await network.open([port])
  const socket = connect(port, network.address)
  await once(socket, 'close')
})

/** Another process that finds out what can be sealed, with its own folder for temporary files. */
function trying(folder: string, then: string) {
  const { href } = new URL('../../../../loadtests/src/targets/local/sealed.ts', import.meta.url)
  const script = `const { meansHere } = await import('${href}'); const tried = meansHere(); ${then}`
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: folder },
    stdio: 'ignore',
  })
  return once(child, 'close')
}

test('a lab that is stopped while it tries the seal leaves nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tries-'))
  const stop = `const { readdirSync } = await import('node:fs')
    setInterval(() => readdirSync('${folder}').length && process.exit(), 1)`
  await trying(folder, stop)
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

test('what a lab that was killed left of a try is removed by the next', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tries-'))
  const left = spawn('true')
  await once(left, 'close')
  await mkdir(join(folder, `n8n-tuned-try-${left.pid}-abcdef`))
  await mkdir(join(folder, `n8n-tuned-try-${process.pid}-abcdef`))
  await trying(folder, 'await tried')
  expect(await readdir(folder)).toEqual([`n8n-tuned-try-${process.pid}-abcdef`])
  await rm(folder, { recursive: true })
})
