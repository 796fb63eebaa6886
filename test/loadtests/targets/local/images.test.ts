import { exitCodes } from '../../../../loadtests/src/lib/errors.ts'
import { localImage } from '../../../../loadtests/src/targets/local/images.ts'
import { refusalOf } from '../../../support/refusal.ts'

const order = { signal: new AbortController().signal, onProgress: () => {} }

test.each(['redis', 'registry.example.com/mirror/redis'])(
  '%s is the machine’s own Redis, kept to loopback',
  async (repository) => {
    const image = await localImage({ repository, tag: '7.0' }, order)
    expect(image).toMatchObject({ kind: 'redis', listens: { REDIS_PORT: 6379 }, user: null })
    expect(image.env.REDIS_SERVER).toMatch(/redis-server$/)
  },
)

test('postgres is the machine’s own PostgreSQL, which does not run as root', async () => {
  const image = await localImage({ repository: 'postgres', tag: '15' }, order)
  expect(image).toMatchObject({ kind: 'postgresql', listens: { PGPORT: 5432 } })
  expect(image.user === null).toBe(process.getuid!() !== 0)
  expect(image.user?.uid).not.toBe(0)
})

test('an image that the lab does not know is refused by name', async () => {
  const refusal = await refusalOf(() => localImage({ repository: 'example/sidecar', tag: '1.0' }, order))
  expect(refusal).toMatchObject({ code: 'not-on-this-target', exit: exitCodes.usage })
  expect(refusal.message).toContain('example/sidecar')
})
