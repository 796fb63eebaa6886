import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { chartScript } from '../support/chart-script.ts'
import { startPostgresql } from '../support/postgresql.ts'
import { runtime, versions } from '../support/runtime.ts'
import { temporaryFolder } from '../support/temporary.ts'

const home = temporaryFolder()

const listening = async (server: Server, port = 0): Promise<number> => {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** The init container that waits for these: what it says first, and its exit code. */
function waiting(targets: string[], env: Record<string, string> = {}, node = process.execPath) {
  const child = spawn(node, ['-e', chartScript('database.js', 'wait.js')], {
    env: { WAIT_FOR: targets.join(' '), WAIT_SECONDS: '200', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const says = once(child.stdout, 'data').then(([text]) => String(text))
  return { child, says, code: once(child, 'exit').then(([code]) => code as number) }
}

test('waits for a port until it accepts', async () => {
  const server = createServer()
  const port = await listening(server)
  server.close()
  const { says, code } = waiting([`tcp://127.0.0.1:${port}`])
  expect(await says).toContain(`waiting for tcp://127.0.0.1:${port}: connect ECONNREFUSED`)
  await listening(server, port)
  expect(await code).toBe(0)
  server.close()
})

test('waits for all of them', async () => {
  const servers = [createServer(), createServer()]
  const ports = await Promise.all(servers.map((server) => listening(server)))
  expect(await waiting(ports.map((port) => `tcp://127.0.0.1:${port}`)).code).toBe(0)
  for (const server of servers) server.close()
})

test('waits no longer than it is told, then lets n8n start', async () => {
  const { code } = waiting(['tcp://127.0.0.1:1'], { WAIT_SECONDS: '1' })
  expect(await code).toBe(0)
})

test.each(versions)(
  'waits until the database has every migration that n8n %s knows, whoever made them',
  async (version) => {
    const database = await startPostgresql()
    const { node, n8n, folder } = runtime(version)
    const env = {
      PATH: `${join(folder, 'node_modules/.bin')}:/usr/bin:/bin`,
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: '127.0.0.1',
      DB_POSTGRESDB_PORT: String(database.port),
      DB_POSTGRESDB_DATABASE: 'n8n',
      DB_POSTGRESDB_USER: 'n8n',
      DB_POSTGRESDB_PASSWORD: database.password,
      DB_POSTGRESDB_SCHEMA: 'public',
    }
    try {
      const { child, says, code } = waiting(['schema'], env, node)
      expect(await says).toContain('relation "public.migrations" does not exist')
      expect(child.exitCode).toBeNull()
      await mkdir(join(home, version, '.n8n'), { recursive: true })
      execFileSync(node, [n8n, 'list:workflow'], {
        env: { ...env, N8N_USER_FOLDER: join(home, version) },
        stdio: 'ignore',
      })
      expect(await code).toBe(0)
    } finally {
      await database.stop()
    }
  },
  240_000,
)
