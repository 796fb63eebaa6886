import type { Container, Plan } from '../../../loadtests/src/chart/plan.ts'
import type { Order } from '../../../loadtests/src/targets/target.ts'
import { smallImage } from './image.ts'

/** Says what it sees of itself; holds memory and burns CPU when asked. */
const server = `
  const { readFileSync, writeFileSync } = require('fs')
  const tries = (work) => { try { return work() } catch (error) { return error.code } }
  let held
  require('http').createServer(({ url }, response) => {
    if (url === '/hold') held = Buffer.alloc(2 ** 28, 1)
    if (url === '/burn') for (const end = Date.now() + 3000; Date.now() < end;);
    response.end(JSON.stringify({
      pod: process.env.PORT,
      user: process.getuid(),
      secret: tries(() => readFileSync('/etc/keys/key', 'utf8')),
      prepared: tries(() => readFileSync('/data/word', 'utf8')),
      root: tries(() => writeFileSync('/etc/new', '')),
      secrets: tries(() => writeFileSync('/etc/keys/new', '')),
      nested: tries(() => writeFileSync('/data/inner/new', 'x')) ?? 'written',
    }))
  }).listen(process.env.PORT, '127.0.0.1')
`

const container = (over: Partial<Container>): Container => ({
  name: 'server',
  image: smallImage,
  command: null,
  args: [],
  env: {},
  secrets: [],
  ports: [],
  limits: { cpu: null, memory: null },
  mounts: [
    { path: '/data', volume: 'data', subPath: null },
    { path: '/data/inner', volume: 'inner', subPath: null },
    { path: '/etc/keys', volume: 'keys', subPath: null },
  ],
  readiness: null,
  user: { uid: 1000, gid: 1000 },
  readOnlyRoot: true,
  ...over,
})

/** Servers without an n8n: an init container, volumes, a Secret, limits and a Service. */
export const tinyPlan = (replicas = 1): Plan => ({
  values: {},
  tier: null,
  workloads: [
    {
      name: 'deploy/server',
      component: 'server',
      replicas,
      init: [container({ name: 'prepare', args: ['-e', "require('fs').writeFileSync('/data/word', 'ready')"] })],
      containers: [
        container({
          args: ['-e', server],
          env: { PORT: '8080' },
          ports: [{ name: 'http', port: 8080 }],
          limits: { cpu: 0.5, memory: 2 ** 27 },
          readiness: { command: ['/bin/sh', '-c', 'test -e /data/word'] },
        }),
      ],
      volumes: [
        { name: 'data', kind: 'empty' },
        { name: 'inner', kind: 'empty' },
        { name: 'keys', kind: 'files', files: { key: Buffer.from('sesame') } },
      ],
      grace: 1,
    },
  ],
  services: [{ name: 'server', port: 80, targetPort: 'http', component: 'server' }],
})

export const tinyOrder = (logs: string, onEvent: Order['onEvent'] = () => {}): Order => ({
  workflows: [],
  logs,
  signal: new AbortController().signal,
  onEvent,
  onProgress: () => {},
})
