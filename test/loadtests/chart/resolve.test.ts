import { resolveEnv, resolveText, serviceKey, type Surroundings } from '../../../loadtests/src/chart/resolve.ts'

const around: Surroundings = {
  root: '/scratch/main-0/n8n',
  mounts: ['/home/node/.n8n', '/home/node/.n8n/nodes', '/tmp'],
  ports: new Map([
    [5678, 41001],
    [5679, 41002],
  ]),
  services: new Map([
    ['n8n-main:5678', 41001],
    ['n8n-redis:6379', 41003],
    ['n8n:80', 41004],
  ]),
}
const text = (given: string) => resolveText(given, around)
const env = (given: Record<string, string>) => resolveEnv(given, around)

describe('a mounted path', () => {
  test.each([
    ['/tmp', '/scratch/main-0/n8n/tmp'],
    ['/home/node/.n8n/config', '/scratch/main-0/n8n/home/node/.n8n/config'],
    ['--input=/tmp/flow.json', '--input=/scratch/main-0/n8n/tmp/flow.json'],
    ['cd /tmp && ls /home/node/.n8n', 'cd /scratch/main-0/n8n/tmp && ls /scratch/main-0/n8n/home/node/.n8n'],
    ['/tmp/a;/home/node/.n8n/custom', '/scratch/main-0/n8n/tmp/a;/scratch/main-0/n8n/home/node/.n8n/custom'],
  ])('%j is below the root here', (given, here) => {
    expect(text(given)).toBe(here)
  })

  test('that lies in another is replaced once', () => {
    expect(text('/home/node/.n8n/nodes/x')).toBe('/scratch/main-0/n8n/home/node/.n8n/nodes/x')
  })

  test.each([
    '/tmpfiles',
    '/home/node/.n8nx',
    '/var/tmp',
    'https://example.com/tmp',
    'http://127.0.0.1:9000/tmp',
    '/usr/bin/node',
    '/home/node',
  ])('%j is none', (given) => {
    expect(text(given)).toBe(given)
  })

  test('is left as it is by a container that has no mounts', () => {
    expect(resolveText('/tmp', { ...around, mounts: [] })).toBe('/tmp')
  })
})

describe('another container of the pod', () => {
  test.each([
    ['http://127.0.0.1:5679', 'http://127.0.0.1:41002'],
    ['http://localhost:5678/healthz', 'http://localhost:41001/healthz'],
  ])('%j is where its port is here', (given, here) => {
    expect(text(given)).toBe(here)
    expect(env({ N8N_RUNNERS_TASK_BROKER_URI: given })).toEqual({ N8N_RUNNERS_TASK_BROKER_URI: here })
  })

  test.each(['http://127.0.0.1:9999', '10.127.0.0.1:5679', '127.0.0.1'])('%j is none', (given) => {
    expect(text(given)).toBe(given)
  })
})

describe('a service', () => {
  test.each([
    ['http://n8n-main:5678/healthz', 'http://127.0.0.1:41001/healthz'],
    ['redis://user@n8n-redis:6379', 'redis://user@127.0.0.1:41003'],
    ['n8n:80,n8n-redis:6379', '127.0.0.1:41004,127.0.0.1:41003'],
  ])('%j is on loopback', (given, here) => {
    expect(text(given)).toBe(here)
  })

  test.each(['my-n8n:80', 'n8n:8080', 'http://n8n-main/', 'n8n-main:56789'])('%j is none', (given) => {
    expect(text(given)).toBe(given)
  })

  test('in a pair of host and port is both', () => {
    expect(env({ QUEUE_BULL_REDIS_HOST: 'n8n-redis', QUEUE_BULL_REDIS_PORT: '6379' })).toEqual({
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: '41003',
    })
  })

  test('of somebody else stays where it is', () => {
    const theirs = { DB_POSTGRESDB_HOST: 'db.example.com', DB_POSTGRESDB_PORT: '5432', SMTP_HOST: 'n8n-redis' }
    expect(env(theirs)).toEqual(theirs)
  })

  test('is known by its name and port', () => {
    expect(serviceKey({ name: 'n8n-main', port: 5678 })).toBe('n8n-main:5678')
  })
})

describe('a port of the container itself', () => {
  test('is the one that was found for it', () => {
    expect(env({ N8N_PORT: '5678', N8N_RUNNERS_BROKER_PORT: '5679' })).toEqual({
      N8N_PORT: '41001',
      N8N_RUNNERS_BROKER_PORT: '41002',
    })
  })

  test('is told by its name and its number: neither alone is one', () => {
    const neither = { N8N_PORT: '9999', TIMEOUT: '5678', SMTP_PORT: '587' }
    expect(env(neither)).toEqual(neither)
  })
})

test('everything else is what the chart says', () => {
  const plain = { NODE_OPTIONS: '--max-old-space-size=704', TZ: 'UTC', N8N_METRICS: 'true', EMPTY: '' }
  expect(env(plain)).toEqual(plain)
})
