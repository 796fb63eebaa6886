import { execFileSync, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { cacheFolder } from '../../loadtests/src/lib/own-files.ts'
import { meansHere } from '../../loadtests/src/targets/local/sealed.ts'
import { root, type Said } from '../support/command.ts'

/**
 * A workflow that tries every way out of its n8n, in a dry run, by root and by a user who is not: nobody outside hears
 * of it. Where this machine makes no namespaces, all of it is skipped, by name.
 */

const isRoot = process.getuid?.() === 0
const seals = (await meansHere()).missing === null
const folder = mkdtempSync(join(tmpdir(), 'n8n-tuned-e2e-'))
const machine = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === 'IPv4')?.address

/** Each decoy notes what it hears. */
const heard: string[] = []
const servers: Server[] = []
async function decoy(where: object, name: string): Promise<number> {
  const server = createServer((socket) => {
    heard.push(name)
    socket.end()
  })
  server.listen(where)
  servers.push(server)
  await once(server, 'listening')
  return typeof server.address() === 'string' ? 0 : (server.address() as AddressInfo).port
}
const datagrams = createSocket('udp4').on('message', () => void heard.push('udp'))

/** What a file of others holds, which nothing in n8n may read. */
const secret = 'of-others'
const victim = join(folder, 'victim')
const path = join(folder, 'socket')

/** Each resolves if it got somewhere. */
const ways = (at: { tcp: number; six: number; udp: number; pid: number }) => `
const { net, http, dns, fs, child, dgram } = {
  net: require('net'), http: require('http'), dns: require('dns').promises, fs: require('fs'),
  child: require('child_process'), dgram: require('dgram') }
const connects = (where) => new Promise((yes, no) => net.connect(where).on('connect', yes).on('error', no))
const gets = (url) => new Promise((yes, no) => http.get(url, yes).on('error', no))
const runs = (command) => new Promise((yes, no) =>
  child.exec(command, { timeout: 5000 }, (error, out) => (error ? no(error) : yes(out))))
const machine = '${machine ?? '127.0.0.1'}'
const ways = {
  httpLoopback: () => gets('http://127.0.0.1:${at.tcp}/'),
  httpMachine: () => gets('http://' + machine + ':${at.tcp}/'),
  fetchName: () => fetch('http://localhost:${at.tcp}/'),
  tcpMachine: () => connects({ host: machine, port: ${at.tcp} }),
  tcpFar: () => connects({ host: '203.0.113.1', port: 443 }),
  metadata: () => gets('http://169.254.169.254/latest/meta-data/'),
  dnsLookup: () => dns.lookup('n8n.io'),
  dnsResolve: () => {
    const one = new dns.Resolver({ timeout: 500, tries: 1 })
    one.setServers([machine])
    return one.resolve4('n8n.io')
  },
  tcp6Loopback: () => connects({ host: '::1', port: ${at.six} }),
  tcp6Far: () => connects({ host: '2001:db8::1', port: 443 }),
  udp: () => new Promise((yes, no) => {
    dgram.createSocket('udp4').on('error', no).send('x', ${at.udp}, machine, (e) => (e ? no(e) : yes()))
  }),
  unixSocket: () => connects({ path: ${JSON.stringify(path)} }),
  abstractSocket: () => connects({ path: '\\0of-others' }),
  sockets: () => {
    const all = fs.readdirSync('/run', { withFileTypes: true, recursive: true })
    if (!all.some((one) => one.isSocket())) throw new Error('none')
  },
  command: () => runs("/usr/bin/env bash -c 'exec 3<>/dev/tcp/127.0.0.1/${at.tcp}'"),
  namespaces: () => runs('nsenter --net=/proc/${at.pid}/ns/net true'),
  ownNamespaces: () => runs('nsenter --net=/proc/1/ns/net true'),
  throughProc: () => fs.readFileSync('/proc/${at.pid}/root${join(folder, 'secret')}'),
  environment: () => fs.readFileSync('/proc/${at.pid}/environ'),
  file: () => fs.readFileSync(${JSON.stringify(join(folder, 'secret'))}),
  shadow: () => fs.readFileSync('/etc/shadow'),
  otherFolders: () => fs.readdirSync(${JSON.stringify(root)} + '/test'),
  programs: () => fs.accessSync('/usr/bin/env', fs.constants.W_OK),
  lab: () => fs.accessSync(${JSON.stringify(join(root, 'loadtests/src/main.ts'))}, fs.constants.W_OK),
  npm: () => runs('npm pack --registry http://127.0.0.1:${at.tcp}/ n8n-nodes-x'),
  becomeRoot: () => runs('setpriv --reuid=0 true'),
  mount: () => runs('mount --bind /tmp /tmp && umount /tmp'),
}
const reached = []
for (const [name, way] of Object.entries(ways)) {
  const got = (async () => way())().then(() => true, () => false)
  if (await Promise.race([got, new Promise((late) => setTimeout(() => late(false), 3000))])) reached.push(name)
}
return [{ json: { uid: fs.statSync('/proc/self').uid, tried: Object.keys(ways).length, reached } }]`

const node = (name: string, type: string, parameters: object, more = {}) => ({
  ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion: 1, position: [0, 0], parameters },
  ...more,
})

beforeAll(async () => {
  const tcp = await decoy({ port: 0, host: '0.0.0.0' }, 'tcp')
  const six = await decoy({ port: 0, host: '::1' }, 'tcp6').catch(() => 1)
  await decoy({ path }, 'unix')
  await decoy({ path: '\0of-others' }, 'abstract')
  datagrams.bind(0)
  await once(datagrams, 'listening')
  writeFileSync(join(folder, 'secret'), secret)
  const jsCode = ways({ tcp, six, udp: datagrams.address().port, pid: process.pid })
  const nodes = [
    node('In', 'webhook', { path: 'out', responseMode: 'lastNode' }, { typeVersion: 2, webhookId: 'out' }),
    node('Command', 'executeCommand', { command: `touch ${victim}` }),
    node('Remote', 'ssh', { command: `touch ${victim}` }),
    node('Write', 'readWriteFile', { operation: 'write', fileName: victim }),
    node('Try', 'code', { jsCode }, { typeVersion: 2 }),
  ]
  const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] })
  const connections = { In: to('Command'), Command: to('Remote'), Remote: to('Write'), Write: to('Try') }
  const workflow = { id: 'waysout', name: 'ways out', active: false, settings: {}, nodes, connections }
  writeFileSync(join(folder, 'out.json'), JSON.stringify(workflow))
  const code = `data:text/javascript,fetch('http://127.0.0.1:${tcp}')`
  const NODE_OPTIONS = `--inspect=0.0.0.0:0 --import=${code} --no-warnings`
  writeFileSync(
    join(folder, 'values.json'),
    JSON.stringify({ main: { extraEnv: { NODE_FUNCTION_ALLOW_BUILTIN: '*', NODE_OPTIONS, PATH: 'bin' } } }),
  )
})
afterAll(() => {
  servers.forEach((server) => server.close())
  datagrams.close()
  rmSync(folder, { recursive: true })
})

async function dryRun(prefix: string[], env: Record<string, string>): Promise<Said> {
  const lab = [join(root, 'node_modules/.bin/node'), join(root, 'loadtests/src/main.ts')]
  const asked = ['check', '--dry-run', '--workflow', join(folder, 'out.json'), '--values', join(folder, 'values.json')]
  const [program, ...words] = [...prefix, ...lab, ...asked]
  const child = spawn(program!, words, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  const [exit] = (await once(child, 'close')) as [number]
  return { exit, ...said }
}

/** The first folder on the way to this one that is not open to everybody. */
function outermostClosed(path: string): string | undefined {
  const above = path === dirname(path) ? undefined : outermostClosed(dirname(path))
  return above ?? ((statSync(path).mode & 0o001) === 0 ? path : undefined)
}

/** Somebody with a folder of their own, and with the n8n that is installed here already. */
function asUser(): [string[], Record<string, string>] {
  const uid = 61_234
  const home = join(folder, 'home')
  const theirs = join(home, 'cache/n8n')
  const here = join(cacheFolder(), 'n8n')
  mkdirSync(theirs, { recursive: true })
  mkdirSync(join(home, 'tmp'))
  const installed = readdirSync(here, { withFileTypes: true }).filter((one) => one.isDirectory())
  for (const { name } of installed) mkdirSync(join(theirs, name))
  execFileSync('chown', ['-R', `${uid}:${uid}`, home])
  execFileSync('chmod', ['711', folder])
  // The tools and the lab may be in folders that only root enters: they are shown to all, and nothing else in there.
  const places = [cacheFolder(), root].map((place, index) => ({ place, meanwhile: join(home, `place-${index}`) }))
  places.forEach(({ meanwhile }) => mkdirSync(meanwhile))
  const closed = new Set(places.flatMap(({ place }) => outermostClosed(place) ?? []))
  const binding = [
    ...places.map(({ place, meanwhile }) => `mount --bind '${place}' '${meanwhile}'`),
    ...[...closed].map((one) => `mount -t tmpfs -o mode=755 tmpfs '${one}'`),
    ...places.map(({ place, meanwhile }) => `mkdir -p '${place}' && mount --bind '${meanwhile}' '${place}'`),
    ...installed.map(({ name }) => `mount --bind '${join(here, name)}' '${join(theirs, name)}'`),
  ]
  const become = `exec setpriv --reuid=${uid} --regid=${uid} --clear-groups --inh-caps=-all "$@"`
  const script = [...binding, become].join(' && ')
  const env = { HOME: home, N8N_TUNED_CACHE: join(home, 'cache'), TMPDIR: join(home, 'tmp'), XDG_RUNTIME_DIR: '' }
  return [['unshare', '--mount', '/bin/sh', '-c', script, 'sh'], env]
}

const here = seals ? describe : describe.skip
here.each<[string, boolean, () => [string[], Record<string, string>]]>([
  ['the user of these tests', true, () => [[], {}]],
  ['a user who is not root', isRoot, asUser],
])('a workflow that tries every way out, run by %s', (_, can, how) => {
  const test = can ? it : it.skip
  let run: Said
  beforeAll(async () => {
    heard.length = 0
    if (can) run = await dryRun(...how())
  }, 900_000)

  test('reaches nothing', () => {
    expect(run.out + run.err).toContain('"reached":[]')
    expect(run.out).toMatch(/"tried":27/)
    expect(heard).toEqual([])
    expect(run.exit).toBe(0)
  })

  test('is not run as root', () => {
    expect(run.out).toMatch(/"uid":[1-9]/)
  })

  test('runs no command, and writes no file', () => {
    expect(existsSync(victim)).toBe(false)
    expect(run.out).toContain('no command is run')
    expect(run.out).toContain('nothing is written to the disk')
  })

  test('has none of the flags and paths that its values would give it, and says which', () => {
    expect(run.err).toContain('main.extraEnv.NODE_OPTIONS --inspect')
    expect(run.err).toContain('main.extraEnv.NODE_OPTIONS --import')
    expect(run.err).toContain('main.extraEnv.PATH')
    expect(run.err).not.toContain('Not sealed')
  })
})

it('what a file of others holds is read by those who may', () => {
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(secret)
})
