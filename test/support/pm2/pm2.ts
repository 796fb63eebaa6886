import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../command.ts'

export interface Listed {
  name: string
  pid: number
  pm2_env: { status: string; restart_time: number }
}

/** The real PM2, with a daemon of its own in that folder. */
export function openPm2(home: string, node: string, more: Record<string, string>) {
  const env = { PATH: '/usr/bin:/bin', HOME: home, PM2_HOME: join(home, '.pm2'), ...more }
  const run = async (...args: string[]) =>
    (
      await promisify(execFile)(node, [join(root, 'node_modules/pm2/bin/pm2'), ...args], {
        env,
        cwd: home,
        maxBuffer: 2 ** 26,
      })
    ).stdout
  return {
    env,
    run,
    logs: join(home, '.pm2/logs'),
    list: async (): Promise<Listed[]> => JSON.parse((await run('jlist')).split('\n').at(-1)!),
  }
}

/** The first of so many loopback ports in a row that are free. */
export async function freeRange(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000)
    const servers = Array.from({ length: count }, (_, index) => createServer().listen(first + index, '127.0.0.1'))
    const free = await Promise.all(
      servers.map((server) =>
        once(server, 'listening').then(
          () => true,
          () => false,
        ),
      ),
    )
    await Promise.all(servers.filter((_, index) => free[index]).map((server) => once(server.close(), 'close')))
    if (free.every(Boolean)) return first
  }
}
