import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Container, Mount, Volume } from '../../../../loadtests/src/chart/plan.ts'
import { makeRoot, makeVolumes } from '../../../../loadtests/src/targets/local/volumes.ts'
import { temporaryFolder, write } from '../../../support/temporary.ts'

const base = temporaryFolder()
let count = 0

/** Makes volumes and the root of a container that mounts them; paths as the container would name them. */
async function container(volumes: Volume[], mounts: [path: string, volume: string, subPath?: string][]) {
  const folder = join(base, String(count++))
  const given = {
    mounts: mounts.map(([path, volume, subPath = null]): Mount => ({ path, volume, subPath })),
  } as Container
  const made = await makeVolumes(volumes, join(folder, 'volumes'))
  const root = join(folder, 'root')
  const make = () => makeRoot(given, made, root)
  await make()
  return {
    made,
    make,
    root,
    write: (path: string, content: string) => write(root, path, content),
    read: (path: string) => readFile(join(root, path), 'utf8'),
  }
}

const files = (name: string, content: Record<string, string>): Volume => ({
  name,
  kind: 'files',
  files: Object.fromEntries(Object.entries(content).map(([path, text]) => [path, Buffer.from(text)])),
})
const empty = (name: string): Volume => ({ name, kind: 'empty' })

test('an empty volume and a claim are folders to write in', async () => {
  const { write, read, made } = await container(
    [empty('tmp'), { name: 'data', kind: 'claim', claim: 'n8n-data' }],
    [
      ['/tmp', 'tmp'],
      ['/home/node/.n8n', 'data'],
    ],
  )
  await write('/home/node/.n8n/config', 'kept')
  expect(await read('/home/node/.n8n/config')).toBe('kept')
  expect(await readFile(join(made.get('data')!, 'config'), 'utf8')).toBe('kept')
  expect(made.get('tmp')).not.toBe(made.get('data'))
})

test('a ConfigMap or Secret is its files, which only their owner may read', async () => {
  const { read, root } = await container(
    [files('settings', { 'a.json': '{}', 'dist/nodes/b.js': 'b' })],
    [['/opt/nodes', 'settings']],
  )
  expect(await read('/opt/nodes/dist/nodes/b.js')).toBe('b')
  expect((await stat(join(root, '/opt/nodes/a.json'))).mode & 0o077).toBe(0)
})

test('one volume in two places is one volume', async () => {
  const { write, read } = await container(
    [empty('data')],
    [
      ['/here', 'data'],
      ['/there', 'data'],
    ],
  )
  await write('/here/file', 'same')
  expect(await read('/there/file')).toBe('same')
})

test('a mount may lie inside another, whichever is named first', async () => {
  const { write, read, made } = await container(
    [empty('data'), empty('nodes')],
    [
      ['/home/node/.n8n/nodes', 'nodes'],
      ['/home/node/.n8n', 'data'],
    ],
  )
  await write('/home/node/.n8n/nodes/package.json', '{}')
  await write('/home/node/.n8n/config', 'c')
  expect(await read('/home/node/.n8n/nodes/package.json')).toBe('{}')
  expect(await readFile(join(made.get('nodes')!, 'package.json'), 'utf8')).toBe('{}')
  expect(await readFile(join(made.get('data')!, 'config'), 'utf8')).toBe('c')
})

test('a part of a volume can be mounted: a file, or a folder that is made for it', async () => {
  const { write, read, made } = await container(
    [files('settings', { 'a.json': '{"a":1}' }), empty('data')],
    [
      ['/etc/a.json', 'settings', 'a.json'],
      ['/cache', 'data', 'deep/cache'],
    ],
  )
  expect(await read('/etc/a.json')).toBe('{"a":1}')
  await write('/cache/file', 'x')
  expect(await readFile(join(made.get('data')!, 'deep/cache/file'), 'utf8')).toBe('x')
})

test('made again for the next start, it keeps what was written', async () => {
  const { write, read, make } = await container(
    [empty('data'), empty('nodes')],
    [
      ['/home/node/.n8n', 'data'],
      ['/home/node/.n8n/nodes', 'nodes'],
    ],
  )
  await write('/home/node/.n8n/database.sqlite', 'rows')
  await write('/home/node/.n8n/nodes/package.json', '{}')
  await make()
  expect(await read('/home/node/.n8n/database.sqlite')).toBe('rows')
  expect(await read('/home/node/.n8n/nodes/package.json')).toBe('{}')
})
