import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { paths } from '../../loadtests/src/lib/paths.ts'
import { temporaryFolder } from '../support/temporary.ts'

const home = temporaryFolder()
let made = 0

/** An archive of a package of this name, as npm packs it. */
async function archive(manifest: { name: string; version: string } & Record<string, unknown>): Promise<string> {
  const folder = join(home, `package-${String(made++)}`)
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  return join(
    folder,
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts'], { cwd: folder, encoding: 'utf8' }).trim(),
  )
}

/** A registry of these archives. */
async function registry(
  packages: { name: string; version: string; file: string; dependencies?: object }[],
): Promise<{ url: string; server: Server; asked: () => number }> {
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    const path = decodeURIComponent(request.url!.slice(1))
    const found = packages.find(({ name, file }) => name === path || file === `/${path}`)
    if (!found) return void response.writeHead(404).end()
    if (path !== found.name) return void readFile(found.file).then((body) => response.end(body))
    const { name, version, file, dependencies } = found
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: version },
        versions: { [version]: { name, version, dependencies, dist: { tarball: `${url}${file}` } } },
      }),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  servers.push(server)
  return { url, server, asked: () => asked }
}
const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close()))

/** The init container, over the folder that n8n's own nodes would be in: its exit code and what it said. */
async function install(nodes: string, packages: string[], from = 'http://127.0.0.1:1') {
  const env = {
    PATH: process.env.PATH,
    NODES_FOLDER: nodes,
    PACKAGES: packages.join(' '),
    NPM_CONFIG_REGISTRY: from,
    NPM_CONFIG_CACHE: join(home, 'npm'),
    NPM_CONFIG_FETCH_RETRIES: '0',
  }
  const child = spawn(process.execPath, ['-e', await readFile(join(paths.chart, 'files/community-nodes.js'), 'utf8')], {
    env,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

const version = async (nodes: string, name: string) =>
  (JSON.parse(await readFile(join(nodes, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version

test('an archive in the pod is in its place, and another version replaces it', async () => {
  const nodes = join(home, 'of-an-archive')
  expect(await install(nodes, [await archive({ name: '@acme/n8n-nodes-a', version: '1.0.0' })])).toMatchObject({
    code: 0,
  })
  expect(await version(nodes, '@acme/n8n-nodes-a')).toBe('1.0.0')
  await install(nodes, [await archive({ name: '@acme/n8n-nodes-a', version: '2.0.0' })])
  expect(await version(nodes, '@acme/n8n-nodes-a')).toBe('2.0.0')
})

test('what is no longer named goes, what was installed in the editor stays', async () => {
  const nodes = join(home, 'of-two')
  const [a, b] = await Promise.all(['n8n-nodes-a', 'n8n-nodes-b'].map((name) => archive({ name, version: '1.0.0' })))
  await mkdir(join(nodes, 'node_modules/n8n-nodes-editor'), { recursive: true })
  await install(nodes, [a!, b!])
  await install(nodes, [b!])
  expect(['a', 'b', 'editor'].map((name) => existsSync(join(nodes, 'node_modules', `n8n-nodes-${name}`)))).toEqual([
    false,
    true,
    true,
  ])
})

test('a package of a registry comes with its dependencies, without its peers; none of its scripts runs', async () => {
  const nodes = join(home, 'of-a-registry')
  const scripts = { postinstall: `touch ${join(home, 'ran')}` }
  const dependencies = { dependency: '1.0.0' }
  const { url, asked } = await registry([
    {
      name: 'n8n-nodes-a',
      version: '1.0.0',
      dependencies,
      file: await archive({
        name: 'n8n-nodes-a',
        version: '1.0.0',
        scripts,
        dependencies,
        devDependencies: { typescript: '5' },
        peerDependencies: { 'n8n-workflow': '*' },
      }),
    },
    { name: 'dependency', version: '1.0.0', file: await archive({ name: 'dependency', version: '1.0.0', scripts }) },
  ])
  expect(await install(nodes, ['n8n-nodes-a@1.0.0'], url)).toEqual({ code: 0, said: 'installed n8n-nodes-a 1.0.0\n' })
  expect(await version(nodes, 'n8n-nodes-a/node_modules/dependency')).toBe('1.0.0')
  expect(existsSync(join(home, 'ran'))).toBe(false)

  // A pod that starts again on the same volume needs no registry.
  const before = asked()
  expect(await install(nodes, ['n8n-nodes-a@1.0.0'], url)).toEqual({ code: 0, said: '' })
  expect(asked()).toBe(before)
})

test('n8n does not start without one of them', async () => {
  const { code, said } = await install(join(home, 'of-nothing'), ['n8n-nodes-a@1.0.0'])
  expect(code).toBe(1)
  expect(said).toContain('n8n-nodes-a@1.0.0 of communityNodes.packages could not be installed')
})

test('n8n would not load a package of another name', async () => {
  const { code, said } = await install(join(home, 'of-another'), [await archive({ name: 'other', version: '1.0.0' })])
  expect(code).toBe(1)
  expect(said).toContain('Expected a package whose name begins with n8n-nodes-, got other')
})
