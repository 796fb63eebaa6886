import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'
import { execa } from 'execa'
import { root } from '../../support/command.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** Where k6 and Helm come from: the cache, PATH, their releases, Go. A server on loopback is in GitHub's place. */

const folder = temporaryFolder()
const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
const says: Record<string, string> = { k6: 'k6 v2.3.0 (go1.26, linux/amd64)', helm: 'v3.22.0+g144ca65' }
const archives: Record<string, Buffer> = {}
const asked: string[] = []
let server: Server
let address: string

/** As the releases are: the program in a folder of the archive. */
async function archiveOf(name: string, said: string): Promise<Buffer> {
  const from = join(folder, 'archives', name)
  mkdirSync(join(from, 'inside'), { recursive: true })
  writeFileSync(join(from, 'inside', name), `#!/bin/sh\necho '${said}'\n`, { mode: 0o755 })
  const { stdout } = await execa('tar', ['-czf', '-', '-C', from, 'inside'], { encoding: 'buffer' })
  return Buffer.from(stdout)
}

beforeAll(async () => {
  for (const [name, said] of Object.entries(says)) archives[`${name}.tar.gz`] = await archiveOf(name, said)
  server = createServer((request, response) => {
    const name = request.url!.slice(1)
    asked.push(name)
    response.writeHead(archives[name] ? 200 : 404).end(archives[name])
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

let count = 0

/** tools/install in a folder of its own, with an empty cache, on a machine that has neither Go nor these programs. */
function machine({ digest = '', onPath = {} as Record<string, string> } = {}) {
  const home = join(folder, `machine-${count++}`)
  const [tools, bin] = [join(home, 'tools'), join(home, 'path')]
  mkdirSync(tools, { recursive: true })
  mkdirSync(bin)
  for (const file of ['install', 'go.mod']) cpSync(join(root, 'tools', file), join(tools, file))
  const pins = Object.entries(archives).map(([file, archive]) => {
    const sha256 = digest || createHash('sha256').update(archive).digest('hex')
    return `${file.split('.')[0]} 9.0.0 ${platform} ${sha256} https://releases.invalid/${file}`
  })
  writeFileSync(join(tools, 'releases'), `# NAME VERSION PLATFORM SHA256 ADDRESS\n${pins.join('\n')}\n`)
  for (const [name, said] of Object.entries(onPath))
    writeFileSync(join(bin, name), `#!/bin/sh\necho '${said}'\n`, { mode: 0o755 })
  // No Go, whatever this machine has beside them.
  const basic =
    'bash env awk cat chmod curl cut dirname find grep gzip head ln mkdir mv nice rm sed sha256sum shasum tar tr'
  for (const name of `${basic} uname`.split(' ')) {
    const program = ['/usr/bin', '/bin'].map((place) => join(place, name)).find(existsSync)
    if (program) symlinkSync(program, join(bin, name))
  }
  const install = async (from: string, ...names: string[]) => {
    const env = { PATH: bin, HOME: home, N8N_TUNED_CACHE: join(home, 'cache'), N8N_TUNED_RELEASES: from }
    return execa(join(tools, 'install'), names, { env, extendEnv: false, reject: false })
  }
  const version = async (name: string) => (await execa(join(tools, 'bin', name), ['version'])).stdout
  return { home, tools, bin, install, version }
}

test('without Go, k6 and Helm come as their releases, and it says from where', async () => {
  const { install, version } = machine()
  const { exitCode, stderr } = await install(address, 'helm', 'k6')
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stderr.split('\n')).toEqual([
    `tools/install: helm 9.0.0 from ${address}/helm.tar.gz, SHA-256 as pinned`,
    `tools/install: k6 9.0.0 from ${address}/k6.tar.gz, SHA-256 as pinned`,
  ])
  expect([await version('k6'), await version('helm')]).toEqual([says.k6, says.helm])
})

test('what the cache has is taken without a word', async () => {
  const { install } = machine()
  await install(address, 'k6')
  asked.length = 0
  expect(await install(address, 'k6')).toMatchObject({ exitCode: 0, stderr: '' })
  expect(asked).toEqual([])
})

test('a program of the cache that has changed is made anew, and it says so', async () => {
  const { home, install, version } = machine()
  await install(address, 'k6')
  writeFileSync(join(home, 'cache/tools/k6-9.0.0'), "#!/bin/sh\necho 'of others'\n")
  const { exitCode, stderr } = await install(address, 'k6')
  expect(exitCode).toBe(0)
  expect(stderr).toContain('is not what was put there, by its SHA-256')
  expect(await version('k6')).toBe(says.k6)
})

test('with both on PATH nothing is downloaded, and it says which were taken', async () => {
  const { bin, tools, install } = machine({ onPath: { k6: 'k6 v1.0.0 (go1.24)', helm: 'v4.1.0' } })
  asked.length = 0
  const { exitCode, stderr } = await install(address, 'k6', 'helm')
  expect(exitCode).toBe(0)
  expect(stderr).toContain(`k6 from PATH: ${join(bin, 'k6')}, k6 v1.0.0`)
  expect(stderr).toContain(`helm from PATH: ${join(bin, 'helm')}, v4.1.0`)
  expect(asked).toEqual([])
  expect(readlinkSync(join(tools, 'bin/k6'))).toBe(join(bin, 'k6'))
  expect((await install(address, 'k6', 'helm')).stderr).toBe('')
})

test.each([
  ['k6', 'k6 v0.57.0 (go1.23)'],
  ['helm', 'v3.15.4'],
])('%s on PATH is passed over where it is too old', async (name, said) => {
  const { install } = machine({ onPath: { [name]: said } })
  expect((await install(address, name)).stderr).toContain(`${name} 9.0.0 from ${address}/`)
})

test('an archive with another digest is not used', async () => {
  const { home, tools, install } = machine({ digest: '0'.repeat(64) })
  const { exitCode, stderr } = await install(address, 'k6')
  expect(exitCode).toBe(1)
  expect(stderr).toContain(`${address}/k6.tar.gz is not the archive whose SHA-256 tools/releases pins`)
  expect(existsSync(join(tools, 'bin/k6'))).toBe(false)
  expect(existsSync(join(home, 'cache/tools/k6-9.0.0'))).toBe(false)
})

test('without a network it lists the files to bring, and takes them from their folder', async () => {
  const { home, install, version } = machine()
  const { exitCode, stderr } = await install('http://127.0.0.1:9', 'k6')
  expect(exitCode).toBe(1)
  expect(stderr).toContain('Expected k6 on PATH, as a release, or Go to compile it, found none: http://127.0.0.1:9/k6')
  expect(stderr).toContain('bring these files and name their folder, N8N_TUNED_RELEASES=/folder:\n  https://releases.')
  const brought = join(home, 'brought')
  mkdirSync(brought)
  for (const [name, archive] of Object.entries(archives)) writeFileSync(join(brought, name), archive)
  expect(await install(brought, 'k6')).toMatchObject({ exitCode: 0 })
  expect(await version('k6')).toBe(says.k6)
})

test('without Go, what only Go can bring is left out by name, and the rest installed', async () => {
  const { tools, install } = machine()
  const { exitCode, stderr } = await install(address, '--if-possible', 'actionlint', 'k6', 'promtool')
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stderr).toContain('Left out, since there is no Go to compile them: actionlint promtool.')
  expect(readdirSync(join(tools, 'bin'))).toEqual(['k6'])
  expect((await install(address, 'actionlint')).exitCode).toBe(1)
})

test('where no release is reached, Go compiles the version that go.mod pins', async () => {
  const { bin, home, install } = machine()
  // It writes what it was asked to build where the program is to be.
  const built = `printf '#!/bin/sh\\necho compiled' >"$2" && chmod +x "$2"`
  const go = `#!/bin/bash\nwhile [ "$1" != -o ]; do shift; done\n${built}\n`
  writeFileSync(join(bin, 'go'), go, { mode: 0o755 })
  const { exitCode, stderr } = await install('http://127.0.0.1:9', 'k6')
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  const pinned = /go\.k6\.io\/k6 v(\S+)/.exec(readFileSync(join(root, 'tools/go.mod'), 'utf8'))![1]!
  expect(stderr).toContain(`compiling k6 ${pinned} with Go`)
  expect(existsSync(join(home, `cache/tools/k6-${pinned}`))).toBe(true)
})

test('each of them is pinned for Linux and macOS on both processors', () => {
  const pins = readFileSync(join(root, 'tools/releases'), 'utf8')
    .split('\n')
    .filter((line) => line && line[0] !== '#')
  const platforms = ['linux-amd64', 'linux-arm64', 'darwin-amd64', 'darwin-arm64']
  const pinned = pins.map((line) => line.split(' ').filter((_, field) => field === 0 || field === 2))
  expect(pinned).toEqual(['k6', 'helm'].flatMap((name) => platforms.map((on) => [name, on])))
  expect(pins.filter((line) => !/ [0-9a-f]{64} https:\/\/\S+\.(tar\.gz|zip)$/.test(line))).toEqual([])
})
