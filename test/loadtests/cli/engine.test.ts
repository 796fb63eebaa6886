import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { commandWith } from '../../support/command.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

/**
 * What n8n runs as on this machine is said before anything is installed. The machine has all programs but the stores
 * and the runtimes, and a Podman that knows its name and no image: no registry is asked.
 */

const folder = temporaryFolder()
const cache = join(folder, 'cache')
const bare = join(folder, 'bare')
const withPodman = join(folder, 'podman')

beforeAll(async () => {
  await mkdir(bare)
  const apart = /^(redis-.*|podman|docker|initdb|postgres)$/
  for (const place of [...new Set(process.env.PATH!.split(delimiter))].filter((name) => existsSync(name)))
    for (const name of await readdir(place))
      if (!apart.test(name) && !existsSync(join(bare, name)))
        await symlink(join(place, name), join(bare, name)).catch(() => {})
  await mkdir(withPodman)
  await chmod(await write(withPodman, 'podman', '#!/bin/sh\n[ "$1" = info ] && echo "5.0.0 [cpu memory]"\n'), 0o755)
})

const on = (path: string[], ...words: string[]) =>
  commandWith({ PATH: path.join(delimiter), N8N_TUNED_CACHE: cache }, ...words)

test.each([
  ['what a rate needs, in queue mode', ['size', '--workflow', 'ping-webhook', '--rate', '20'], 'redis-server'],
  ['an n8n of which npm has no line', ['check', '--set', 'image.tag=3.2.2'], 'n8n 3.2.2 from npm'],
])('%s: without stores and runtimes one message names both ways', async (_, words, lacking) => {
  const { exit, err } = await on([bare], ...words)
  expect(exit).toBe(2)
  expect(err).toContain(lacking)
  expect(err).toMatch(/For processes: .*For containers: /)
  expect(existsSync(cache)).toBe(false)
})

test.each([
  [
    ['check', '--profile', 'queue-small', '--rate', '4'],
    /containers of podman 5\.0\.0: .* no redis-server and redis-cli/,
  ],
  [['check', '--set', 'image.tag=3.2.2', '--rate', '4'], /containers of podman 5\.0\.0: npm has no n8n 3\.2\.2/],
])('%j goes into containers by itself, says why, and asks before it pulls', async (words, said) => {
  const { exit, err } = await on([withPodman, bare], ...words)
  expect(err.split('\n')[0]).toBe('! Not sealed: n8n in containers reaches whatever this machine’s network reaches.')
  expect(err).toMatch(said)
  expect(err).toContain('podman pulls these images')
  expect(exit).toBe(2)
  expect(existsSync(cache)).toBe(false)
})

test.each([
  ['process', 'redis-server'],
  ['container', 'Docker or Podman'],
])('--engine %s stays what it is, and what it lacks is said at once', async (engine, lacking) => {
  const { exit, err } = await on([bare], 'check', '--profile', 'queue-small', '--rate', '4', '--engine', engine)
  expect(exit).toBe(2)
  expect(err).toMatch(new RegExp(`^Expected ${lacking}`))
  expect(existsSync(cache)).toBe(false)
})
