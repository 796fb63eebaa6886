import { existsSync } from 'node:fs'
import { chown, mkdtemp, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Container, Workload } from '../../../../loadtests/src/chart/plan.ts'
import { render } from '../../../../loadtests/src/chart/render.ts'
import type { LocalImage } from '../../../../loadtests/src/targets/local/images.ts'
import {
  commandFor,
  makePod,
  portOf,
  type LocalPod,
  type PodPlace,
} from '../../../../loadtests/src/targets/local/pod.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

/** What the real chart renders, as it would be started here. */

const folder = temporaryFolder()
const image: LocalImage = {
  kind: 'n8n',
  user: null,
  entrypoint: ['/cache/node', '/cache/n8n'],
  env: { NODE_ENV: 'production', TZ: 'image' },
  listens: { N8N_PORT: 5678, N8N_RUNNERS_BROKER_PORT: 5679 },
}

const nobody = { uid: 65534, gid: 65534 }
const place: PodPlace = {
  folder,
  imageOf: () => image,
  folderOf: async ({ uid, gid }) => {
    const own = await mkdtemp(join(folder, 'own-'))
    await chown(own, uid, gid)
    return own
  },
}

let main: Workload
let n8n: Container
let pod: LocalPod
beforeAll(async () => {
  const { workloads } = await render({
    encryptionKey: { value: 'sesame' },
    monitoring: { enabled: true },
    timezone: 'Europe/Vienna',
  })
  main = workloads.find(({ component }) => component === 'main')!
  n8n = main.containers[0]!
  pod = await makePod(main, 0, place)
})
const command = (args?: string[]) => commandFor(pod, n8n, image, new Map(), args)

test('a pod is named by its component and number', () => {
  expect(pod.name).toBe('main-0')
})

const asRoot = process.getuid?.() === 0 ? test : test.skip

asRoot('the pod of another user has a folder apart, which that user alone enters', async () => {
  const theirs = await makePod(main, 2, { ...place, engine: { mounts: false, ownerOf: () => nobody } })
  expect(dirname(theirs.folder)).toMatch(/own-\w+$/)
  const modes = await Promise.all([dirname(theirs.folder), theirs.folder].map((path) => stat(path)))
  expect(modes.map(({ uid, mode }) => [uid, mode & 0o777])).toEqual([
    [65534, 0o700],
    [65534, 0o700],
  ])
})

test('a container’s runtime mounts the volumes, so they stay in the folder of the plan', async () => {
  const mounted = await makePod(main, 3, {
    ...place,
    engine: { mounts: true, ownerOf: () => (process.getuid?.() === 0 ? nobody : null) },
  })
  expect(dirname(mounted.folder)).toBe(folder)
})

test('each port of the pod has a free one here, found by its name or number', () => {
  expect(portOf(pod, 'http')).toBe(portOf(pod, 5678))
  expect(portOf(pod, 5679)).not.toBe(portOf(pod, 5678))
  expect(portOf(pod, 'http')).toBeGreaterThan(1024)
})

test('a container runs what its image runs, or a command of its image', async () => {
  expect(command().argv).toEqual(['/cache/node', '/cache/n8n'])
  expect(command(['/cache/node', 'other']).argv).toEqual(['/cache/node', 'other'])
})

test('what its image runs is where this machine has it, even below a path of the container', () => {
  const there = { ...image, entrypoint: ['/tmp/checkout/run'] }
  expect(commandFor(pod, n8n, there, new Map()).argv).toEqual(['/tmp/checkout/run', ...n8n.args])
})

test('its environment is what the chart says over what the image brings, and of nothing else', async () => {
  const { env } = command()
  expect(env).toMatchObject({
    NODE_ENV: 'production',
    N8N_METRICS: 'true',
    N8N_ENCRYPTION_KEY: 'sesame',
    TZ: 'Europe/Vienna',
  })
  // Where its files are is another question.
  expect(env.NODE_OPTIONS!.replaceAll(join(pod.folder, 'n8n'), '')).toBe(n8n.env.NODE_OPTIONS)
  expect(
    Object.keys(env)
      .filter((name) => !(name in n8n.env) && !(name in image.env))
      .sort(),
  ).toEqual(['HOME', 'N8N_PORT', 'N8N_RUNNERS_BROKER_PORT', 'TMPDIR'])
})

test('it listens where there is room, also on the ports that the chart does not speak of', async () => {
  const { env } = command()
  expect(env).toMatchObject({ N8N_PORT: String(portOf(pod, 5678)), N8N_RUNNERS_BROKER_PORT: String(portOf(pod, 5679)) })
})

test('its home and its folder for temporary files are below its own root', async () => {
  const { env, cwd } = command()
  expect(cwd.startsWith(folder)).toBe(true)
  expect(env).toMatchObject({ HOME: join(cwd, 'home/node'), TMPDIR: join(cwd, 'tmp') })
  expect(existsSync(join(cwd, 'home/node/.n8n'))).toBe(true)
  expect(existsSync(join(cwd, 'tmp'))).toBe(true)
})

test('what an init container and n8n mount is the same, so that one finds what the other did', async () => {
  const { workloads } = await render({ loadtest: { enabled: true } })
  const workload = workloads.find(({ component }) => component === 'main')!
  const withNodes = await makePod(workload, 1, place)
  const init = workload.init.find(({ name }) => name === 'load-target')!
  const first = commandFor(withNodes, init, image, new Map())
  const second = commandFor(withNodes, workload.containers[0]!, image, new Map())
  const packageJson = 'opt/n8n-nodes-tuned/package.json'
  expect(first.argv.join(' ')).toContain(join(first.cwd, 'opt/n8n-nodes-tuned'))
  expect(await readFile(join(second.cwd, packageJson), 'utf8')).toBe(
    await readFile(join(first.cwd, packageJson), 'utf8'),
  )
})
