/** What a stranger may hand to the lab, before anything in it is hostile: each has what the lab reads of its kind. */

const node = (name: string, type: string, parameters: object = {}, more: object = {}) => ({
  parameters,
  id: `id-${name}`,
  name,
  type,
  typeVersion: 1,
  position: [0, 0],
  ...more,
})

const base = 'n8n-nodes-base'

export const workflows = [
  {
    id: 'orders',
    name: 'Orders',
    nodes: [
      node(
        'Webhook',
        `${base}.webhook`,
        { path: 'orders', httpMethod: 'POST', responseMode: 'lastNode' },
        { webhookId: 'w1' },
      ),
      node('Set', `${base}.set`, {
        assignments: { assignments: [{ id: 'a', name: 'total', value: '={{ $json.body.total }}', type: 'string' }] },
      }),
      node(
        'Ask',
        `${base}.httpRequest`,
        {
          url: 'https://api.example.com/v1/items',
          method: 'GET',
          authentication: 'predefinedCredentialType',
          nodeCredentialType: 'httpHeaderAuth',
        },
        { credentials: { httpHeaderAuth: { id: 'c1', name: 'Header' } } },
      ),
      node(
        'Sheet',
        `${base}.googleSheets`,
        {
          operation: 'append',
          documentId: { __rl: true, mode: 'list', value: 'd1', cachedResultName: 'Doc' },
          sheetName: { __rl: true, mode: 'list', value: 'gid=0' },
        },
        { credentials: { googleSheetsOAuth2Api: { id: 'c2', name: 'Sheets' } } },
      ),
      node('Code', `${base}.code`, { jsCode: 'return items.map((item) => ({ json: { id: item.json.id } }))' }),
      node('If', `${base}.if`, {
        conditions: { string: [{ value1: '={{ $json.kind }}', operation: 'equal', value2: 'a' }] },
      }),
      node('Call', `${base}.executeWorkflow`, { workflowId: { __rl: true, value: 'called', mode: 'id' } }),
    ],
    connections: {
      Webhook: { main: [[{ node: 'Set', type: 'main', index: 0 }]] },
      Set: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] },
      Ask: { main: [[{ node: 'Sheet', type: 'main', index: 0 }]] },
      Sheet: { main: [[{ node: 'Code', type: 'main', index: 0 }]] },
      Code: { main: [[{ node: 'If', type: 'main', index: 0 }]] },
      If: { main: [[{ node: 'Call', type: 'main', index: 0 }], []] },
    },
    settings: { executionOrder: 'v1', errorWorkflow: 'called' },
    pinData: { Webhook: [{ json: { headers: { 'x-a': 'b' }, params: {}, query: { q: '1' }, body: { total: '1' } } }] },
    tags: [{ id: 't', name: 'Tag' }],
    meta: { instanceId: 'abc' },
  },
  {
    id: 'called',
    name: 'Called',
    nodes: [
      node('Called', `${base}.executeWorkflowTrigger`),
      node('Slack', `${base}.slack`, {
        select: 'channel',
        channelId: { __rl: true, value: 'C1', mode: 'id' },
        text: '={{ $json.text }}',
      }),
    ],
    connections: { Called: { main: [[{ node: 'Slack', type: 'main', index: 0 }]] } },
  },
  {
    id: 'form',
    name: 'Form',
    nodes: [
      node('Form', `${base}.formTrigger`, {
        path: 'form',
        formTitle: 'T',
        formFields: { values: [{ fieldLabel: 'Mail', fieldType: 'email', requiredField: true }] },
      }),
      node('No', `${base}.noOp`),
    ],
    connections: { Form: { main: [[{ node: 'No', type: 'main', index: 0 }]] } },
  },
  {
    id: 'timer',
    name: 'Timer',
    nodes: [
      node('Cron', `${base}.scheduleTrigger`, { rule: { interval: [{ field: 'hours' }] } }),
      node('Tell', `${base}.gmail`, { sendTo: 'a@b.c', subject: 's', message: '={{ $now }}' }),
    ],
    connections: { Cron: { main: [[{ node: 'Tell', type: 'main', index: 0 }]] } },
  },
]

export const request = [
  {
    webhook: 'Webhook',
    method: 'POST',
    query: { a: ['b', 'c'] },
    headers: { 'x-a': 'b', 'content-type': 'application/json' },
    auth: { jwt: { secret: 's', algorithm: 'HS256', payload: { a: 'b' } } },
    body: { a: 'b {{counter}}', c: ['d'] },
    expect: { status: 200, json: { a: 'b' }, text: 'c' },
  },
  { form: { a: 'b' }, files: { f: { path: 'package.json', name: 'n', type: 't' } } },
  { file: 'package.json', rows: 'no-such.csv' },
]

export const har = {
  log: {
    entries: [
      {
        request: {
          method: 'POST',
          url: 'https://n8n.example.com/webhook/orders?a=b',
          headers: [{ name: 'x-a', value: 'b' }],
          postData: { mimeType: 'application/json', text: '{"a":"b"}', params: [{ name: 'a', value: 'b' }] },
        },
      },
    ],
  },
}

export const credentials = [
  { id: 'c1', name: 'Header', type: 'httpHeaderAuth', data: { name: 'x-key', value: 'v' } },
  {
    id: 'c2',
    name: 'Sheets',
    type: 'googleSheetsOAuth2Api',
    data: { clientId: 'a', oauthTokenData: { access_token: 'b' } },
  },
]

export const dataTables = [
  {
    id: 'table',
    name: 'Table',
    columns: [
      { name: 'a', type: 'string' },
      { name: 'b', type: 'date' },
    ],
    rows: [{ a: 'x', b: '2026-01-01' }],
  },
]

export const recorded = {
  rules: [
    {
      host: 'api.example.com',
      path: '/v1/*',
      method: 'GET',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { a: 'b' },
      latency: '80ms',
    },
    { host: '*', path: '*', base64: 'AAAA', latency: { p50: '1ms', p95: '2ms' } },
  ],
  allow: ['db.example.com:5432'],
}

export const profile = {
  name: 'mine',
  question: 'What does it sustain?',
  base: { image: { tag: '2.41.1' }, role: { extraEnv: { A: 'b' } } },
  variants: { small: { main: { resources: { limits: { cpu: '500m' } } } } },
  matrix: { 'worker.replicas': ['1'] },
  workflows: [
    { workflow: 'ping-webhook', request: { body: 'a', headers: { a: 'b' } }, slo: { p95: '1s', errors: '1%' } },
  ],
  outside: recorded,
  load: { shape: 'constant', rate: 2, duration: '20s', timeout: '10s' },
  slo: { p95: '500ms', errors: '0.1%', backlog: '5%' },
  need: { rate: 2, is: 'the busiest minute' },
}

export const values = {
  image: { repository: 'n8nio/n8n', tag: '2.41.1', pullSecrets: [{ name: 'a' }] },
  fullnameOverride: 'n8n',
  publicUrl: 'https://n8n.example.com',
  timezone: 'Europe/Berlin',
  role: {
    priorityClassName: 'high',
    podLabels: { team: 'a' },
    podAnnotations: { a: 'b' },
    nodeSelector: { disk: 'ssd' },
    extraEnv: {
      N8N_DEFAULT_LOCALE: 'de',
      FROM: { valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } },
    },
    extraVolumes: [{ name: 'v', emptyDir: { medium: 'Memory' } }],
    extraVolumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'a/b' }],
    extraContainers: [{ name: 'c', image: 'busybox:1', command: ['sh'], env: [{ name: 'A', value: 'b' }] }],
  },
  main: { resources: { limits: { cpu: '1', memory: '1Gi' } } },
  commonLabels: { a: 'b' },
  ingress: { enabled: true, className: 'nginx', host: 'n8n.example.com', annotations: { a: 'b' } },
  encryptionKey: { value: '0123456789abcdef0123456789abcdef' },
  persistence: { size: '5Gi', storageClass: 'fast' },
}

export const official = {
  image: { repository: 'n8nio/n8n', tag: '2.41.1' },
  ingress: {
    enabled: true,
    className: 'nginx',
    hosts: [{ host: 'n8n.example.com', paths: [{ path: '/', pathType: 'Prefix' }] }],
  },
  main: { config: { db: { type: 'postgresdb', postgresdb: { host: 'pg' } } }, extraEnv: { N8N_A: { value: 'b' } } },
  resources: { limits: { cpu: '1', memory: '1Gi' } },
}

export const compose = {
  services: {
    n8n: {
      image: 'n8nio/n8n:2.41.1',
      command: 'start',
      environment: {
        N8N_HOST: 'n8n.example.com',
        DB_TYPE: 'postgresdb',
        DB_POSTGRESDB_HOST: 'db',
        DB_POSTGRESDB_PASSWORD: 'p',
        N8N_ENCRYPTION_KEY: '${KEY:-k}',
      },
      volumes: ['data:/home/node/.n8n', './files:/files'],
      ports: ['5678:5678'],
      env_file: { path: 'no-such.env', required: false },
      depends_on: { db: { condition: 'service_healthy' } },
    },
    db: { image: 'postgres:17', environment: ['POSTGRES_PASSWORD=p'], volumes: ['db:/var/lib/postgresql/data'] },
  },
  volumes: { data: { name: 'n8n_data' }, db: null },
}

const now = Date.now()
const at = (ago: number) => new Date(now - ago * 60_000).toISOString()

export const listed = {
  workflows: [
    {
      id: 'a',
      name: 'Orders',
      nodes: [
        node(
          'Webhook',
          `${base}.webhook`,
          { path: 'orders', authentication: 'headerAuth' },
          { credentials: { httpHeaderAuth: { id: 'c', name: 'C' } } },
        ),
      ],
      connections: {},
      settings: { a: 'b' },
    },
    { id: 'b', name: 'Orders!', nodes: [node('Webhook', `${base}.webhook`, { path: 'x' })], connections: {} },
  ],
  executions: [
    { id: '3', workflowId: 'a', mode: 'webhook', status: 'success', startedAt: at(1), stoppedAt: at(0) },
    { id: '2', workflowId: 'b', mode: 'webhook', status: 'error', startedAt: at(50), stoppedAt: at(49) },
    { id: '1', workflowId: 'b', mode: 'trigger', finished: true, startedAt: at(90), stoppedAt: null },
  ],
}
