import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { nodeBalancer, processBalancer } from '../src/targets/local/balancer.ts'
import type { Balancer, Front, OpenBalancer } from '../src/targets/local/machine.ts'
import { findProgram } from '../src/targets/local/programs.ts'
import type { Network } from '../src/targets/local/network.ts'
import { openLinkedNetwork } from './linked-network.ts'

/** What the articles put before several processes: the lab's own balancer, nginx, or the kernel itself. */
export const balancers: Record<'node' | 'nginx' | 'iptables', OpenBalancer> = {
  node: nodeBalancer,

  async nginx(post, within) {
    const program = await findProgram('nginx', 'the balancer nginx')
    return processBalancer('nginx', post, within, async (fronts) => ({
      argv: [program, ...(await layOutNginx(fronts, join(post.folder, 'nginx'), process.getuid?.() === 0))],
      env: {},
    }))
  },

  /** The kernel balances, in a network of its own; the process only keeps the network open. */
  async iptables(post): Promise<Balancer> {
    const own = await openLinkedNetwork('balancer', 'the balancer iptables', post)
    return {
      network: own.network,
      async balance(fronts) {
        for (const rule of fronts.flatMap(rulesFor)) await iptables(own.network, rule)
        return own.holding
      },
    }
  },
}

/**
 * The kernel gives each backend its share of the new connections, from outside and inside. The first rule takes one in
 * n of all, the next one in n - 1 of the rest. They come before the rules of the network's link.
 */
export function rulesFor({ port, backends }: Front): string[][] {
  return ['PREROUTING', 'OUTPUT'].flatMap((chain) =>
    backends.map((backend, index) => [
      ...['-t', 'nat', '-I', chain, String(index + 1), '-p', 'tcp', '--dport', String(port)],
      ...nth(backends.length - index),
      ...['-j', 'DNAT', '--to-destination', `127.0.0.1:${backend}`],
    ]),
  )
}

const nth = (every: number) =>
  every === 1 ? [] : ['-m', 'statistic', '--mode', 'nth', '--every', String(every), '--packet', '0']

async function iptables({ enter }: Network, rule: string[]): Promise<void> {
  const [command, ...args] = enter(['iptables', '-w', ...rule])
  await execa(command!, args)
}

/** Writes nginx's configuration into the folder; returns its arguments. */
async function layOutNginx(fronts: Front[], folder: string, asRoot: boolean): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'nginx.conf')
  await writeFile(file, nginxConf(fronts, folder, asRoot))
  return ['-p', folder, '-c', file, '-e', 'stderr']
}

/**
 * As is usual before Node servers: nginx keeps connections to them, and leaves a server that refuses alone for a
 * second. It has one worker process, because it shares the generator's cores.
 */
export function nginxConf(fronts: Front[], folder: string, asRoot: boolean): string {
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${folder}/${kind};`,
  )
  return [
    'daemon off;',
    // Otherwise its worker runs as the user nobody, who may not read this folder.
    ...(asRoot ? ['user root;'] : []),
    'worker_processes 1;',
    `pid ${folder}/nginx.pid;`,
    'events { worker_connections 8192; }',
    'http {',
    '  access_log off;',
    ...kept,
    ...fronts.flatMap(blocks),
    '}',
    '',
  ].join('\n')
}

function blocks({ component, port, backends }: Front): string[] {
  return [
    `  upstream ${component}-${port} {`,
    ...backends.map((backend) => `    server 127.0.0.1:${backend} max_fails=1 fail_timeout=1s;`),
    '    keepalive 256;',
    '  }',
    '  server {',
    `    listen 127.0.0.1:${port} backlog=4096;`,
    `    location / { proxy_pass http://${component}-${port}; proxy_http_version 1.1; proxy_set_header `
      + 'Connection ""; proxy_set_header Host $http_host; proxy_read_timeout 1h; }',
    '  }',
  ]
}
