import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Front } from './front.ts'

/** Writes nginx's configuration into the folder; returns its arguments. */
export async function layOutNginx(fronts: Front[], folder: string, asRoot: boolean): Promise<string[]> {
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
