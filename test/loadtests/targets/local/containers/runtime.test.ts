import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodes } from '../../../../../loadtests/src/lib/errors.ts'
import { findRuntime } from '../../../../../loadtests/src/targets/local/containers/runtime.ts'
import { refusalOf } from '../../../../support/refusal.ts'
import { temporaryFolder, write } from '../../../../support/temporary.ts'

const base = temporaryFolder()
let count = 0

/** A folder for PATH, with programs that say this and end like that. */
async function path(programs: Record<string, string>): Promise<string> {
  const folder = join(base, String(count++))
  await mkdir(folder)
  for (const [name, script] of Object.entries(programs))
    await chmod(await write(folder, name, `#!/bin/sh\n${script}\n`), 0o755)
  return folder
}

test('Docker is taken where its daemon answers', async () => {
  expect(
    await findRuntime(await path({ docker: 'echo 28.1.0 true true', podman: 'echo "5.4.0 [cpu memory]"' })),
  ).toEqual({ program: 'docker', version: '28.1.0', limits: true })
})

test('Podman is taken where Docker’s daemon does not', async () => {
  expect(
    await findRuntime(
      await path({ docker: 'echo no daemon >&2; exit 1', podman: 'echo "4.3.1 [cpuset cpu memory pids]"' }),
    ),
  ).toEqual({ program: 'podman', version: '4.3.1', limits: true })
})

test.each([
  ['Docker without a CPU quota', { docker: 'echo 28.1.0 true false' }],
  ['Podman of a user without controllers', { podman: 'echo "4.3.1 [pids]"' }],
])('%s does not limit', async (_, programs) => {
  expect((await findRuntime(await path(programs))).limits).toBe(false)
})

test('without either, the user is told how to get one', async () => {
  const folder = await path({})
  const refusal = await refusalOf(() => findRuntime(folder))
  expect(refusal).toMatchObject({
    code: 'no-container-runtime',
    exit: exitCodes.usage,
    message: expect.stringContaining('got none'),
  })
  expect(refusal.hint).toContain('apt-get install podman')
})

test('one that does not work is told with its own words', async () => {
  const folder = await path({ docker: 'echo Cannot connect to the Docker daemon >&2; exit 1' })
  expect((await refusalOf(() => findRuntime(folder))).message).toContain('docker: Cannot connect to the Docker daemon')
})
