import { execa } from 'execa'
import { join } from 'node:path'
import { root } from '../../support/command.ts'

test('n8n’s webhook processors answer behind each balancer, also one that is a program of its own', async () => {
  const { stdout } = await execa(
    process.execPath,
    ['--no-warnings', 'loadtests/articles/main.ts', 'webhook-balancers', '--seconds', '5'],
    { cwd: root, preferLocal: true, localDir: join(root, 'node_modules/.bin') },
  )
  const answered = [...stdout.matchAll(/^ {2}(\w+), ping-webhook: (?:at least )?([\d.]+)\/s$/gm)]
  expect(answered.map(([, balancer]) => balancer)).toEqual(['node', 'nginx', 'iptables'])
  for (const [, , rate] of answered) expect(Number(rate)).toBeGreaterThan(0)
}, 600_000)
