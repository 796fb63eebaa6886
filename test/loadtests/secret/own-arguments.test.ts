import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { command, root } from '../../support/command.ts'

const onLinux = existsSync('/proc/self/cmdline') ? test : test.skip

onLinux('while the command runs, the list of processes shows its arguments without their secrets', async () => {
  // It never answers, so the command is still there when it is looked at.
  const n8n = createServer().listen(0, '127.0.0.1')
  await once(n8n, 'listening')
  const from = `http://127.0.0.1:${(n8n.address() as AddressInfo).port}/?token=of-the-query`
  const words = ['loadtests/src/main.ts', 'learn', '--from', from, '--yes']
  const lab = spawn(join(root, 'node_modules/.bin/node'), words, {
    cwd: root,
    env: { ...process.env, N8N_API_KEY: 'key' },
    stdio: 'ignore',
  })
  try {
    await once(n8n, 'request')
    const shown = readFileSync(`/proc/${lab.pid}/cmdline`, 'utf8')
    expect(shown).toContain('token=REDACTED')
    expect(shown).not.toContain('of-the-query')
  } finally {
    lab.kill('SIGKILL')
    n8n.closeAllConnections()
    n8n.close()
  }
})

test.each([
  ['a value without a key', ['check', '--set', 'hunter2-of-mine']],
  ['a value that is no YAML', ['check', '--set', 'database.password.value=[hunter2-of-mine']],
  ['a URL with a password', ['check', '--target', 'https://me:hunter2-of-mine@n8n.example.com']],
  ['an option that there is not', ['check', '--api-token=hunter2-of-mine']],
])('a mistake is told without the secret in it: %s', async (_, words) => {
  const { exit, out, err } = await command(...words)
  expect(exit).toBe(2)
  expect(out + err).not.toContain('hunter2')
})
