import { chmod } from 'node:fs/promises'
import { dirname, delimiter } from 'node:path'
import { exitCodes } from '../../../../../loadtests/src/lib/errors.ts'
import { containerImage, qualified } from '../../../../../loadtests/src/targets/local/containers/images.ts'
import { refusalOf } from '../../../../support/refusal.ts'
import { temporaryFolder, write } from '../../../../support/temporary.ts'

const order = { signal: new AbortController().signal, onProgress: () => {} }
const podman = { program: 'podman', version: '4.3.1', limits: true } as const

const folder = temporaryFolder()
const path = process.env.PATH
afterEach(() => void (process.env.PATH = path))

/** Puts a Podman before the machine's own. */
async function podmanThat(script: string): Promise<void> {
  const file = await write(folder, 'podman', `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
  process.env.PATH = `${dirname(file)}${delimiter}${path}`
}

test.each([
  ['redis:7.0', 'docker.io/library/redis:7.0'],
  ['n8nio/n8n:2.41.1', 'docker.io/n8nio/n8n:2.41.1'],
  ['registry.example.com/n8n:1', 'registry.example.com/n8n:1'],
  ['localhost/n8n:1', 'localhost/n8n:1'],
])('%s is %s', (name, full) => {
  expect(qualified(name)).toBe(full)
})

test('an image that the runtime has is not pulled', async () => {
  await podmanThat('[ "$1" = image ] && echo sha256:abc')
  expect((await containerImage({ repository: 'n8nio/n8n', tag: '2.41.1' }, podman, order)).id).toBe('sha256:abc')
})

test('one that it does not have is pulled', async () => {
  await podmanThat(
    `if [ "$1" = pull ]; then echo "$3" >'${folder}/pulled'; else [ -e '${folder}/pulled' ] && echo sha256:def; fi`,
  )
  expect((await containerImage({ repository: 'redis', tag: '7.0' }, podman, order)).id).toBe('sha256:def')
})

test('one that cannot be pulled makes the measurement invalid, with the runtime’s reason', async () => {
  await podmanThat('echo manifest unknown >&2; exit 1')
  expect(await refusalOf(() => containerImage({ repository: 'n8nio/n8n', tag: '9.9.9' }, podman, order))).toMatchObject(
    {
      code: 'image-unavailable',
      exit: exitCodes.invalid,
      message: expect.stringContaining('docker.io/n8nio/n8n:9.9.9'),
      log: ['manifest unknown'],
    },
  )
})

test('one that the lab does not know is refused', async () => {
  expect(
    await refusalOf(() => containerImage({ repository: 'n8nio/runners', tag: '2.41.1' }, podman, order)),
  ).toMatchObject({ code: 'not-on-this-target', exit: exitCodes.usage })
})

test('Redis keeps to loopback, since the network is this machine’s', async () => {
  await podmanThat('echo sha256:abc')
  const { env, binds } = await containerImage({ repository: 'redis', tag: '7.0' }, podman, order)
  expect(Object.keys(binds!)).toEqual([env.PATH!.split(':')[0]])
})
