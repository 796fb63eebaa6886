import { converted, openOf, pathsOf } from '../converting.ts'

const n8n = { image: 'n8nio/n8n:2.41.1' }
const compose = (services: Record<string, unknown>) => converted('compose', { services })

describe('tasks that end, beside n8n', () => {
  const tasks = converted('compose', 'compose-tasks.yaml')

  test('are not the n8n that is moved', () => {
    expect(tasks.inside).toBe('docker compose exec -T n8n')
    expect(tasks.values).toMatchObject({ publicUrl: expect.stringMatching(/^https:/) })
    expect(pathsOf(tasks, 'dropped')).toEqual(expect.arrayContaining(['services.seed', 'services.owner']))
  })

  test.each([
    ['a command of n8n', { ...n8n, command: 'export:workflow --all --output=/backup' }],
    ['a script', { ...n8n, entrypoint: '/bin/sh', command: '/scripts/import.sh' }],
    ['what is not restarted', { ...n8n, restart: 'no' }],
  ])('%s is one', (_, task) => {
    expect(pathsOf(compose({ task, n8n }), 'dropped')).toContain('services.task')
  })

  test('a script that starts n8n at its end is n8n', () => {
    const script = { ...n8n, entrypoint: '/bin/sh', command: ['-c', 'n8n import:workflow --input=/seed && n8n start'] }
    expect(compose({ editor: script }).inside).toBe('docker compose exec -T editor')
  })
})

test('two that run the editor end it: one of them may not be meant', () => {
  expect(() => compose({ one: n8n, two: n8n })).toThrow('got 2: one, two')
  expect(converted('compose', { services: { one: n8n, two: n8n } }, { drop: ['services.two'] }).inside).toContain('one')
})

test.each(['__proto__', 'constructor'])(
  'a service, a variable and a key that are called %s are as any other',
  (name) => {
    const named = (value: unknown) => Object.fromEntries([[name, value]])
    expect(compose(named(n8n)).inside).toBe(`docker compose exec -T ${name}`)
    const { values } = compose({ n8n: { ...n8n, environment: named('x') } })
    expect(values).toMatchObject({ role: { extraEnv: named('x') } })
    const { open } = compose({ n8n: { ...n8n, ...named('x') } })
    expect(open.map(({ path }) => path)).toEqual([`services.n8n.${name}`])
  },
)

describe('queue mode with a service for each worker', () => {
  const { values, secrets, changes } = converted('compose', 'compose-scaled.yaml')

  test('several services of a role are replicas of it', () => {
    expect(values).toMatchObject({ worker: { replicas: 3, concurrency: 8 }, webhook: { replicas: 2 } })
  })

  test('main says the address, whatever a worker has as its host', () => {
    expect(values).toMatchObject({ publicUrl: 'https://n8n.a.b.net/' })
  })

  test('manual executions stay on workers', () => {
    expect(values).toMatchObject({ role: { extraEnv: { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' } } })
  })

  test('a secret in a file is read from it', () => {
    expect([...secrets.keys()]).toEqual(expect.arrayContaining(['DB_POSTGRESDB_PASSWORD', 'N8N_SMTP_PASS']))
  })

  test('the tag of an image of their own names the image; --tag is the n8n in it', () => {
    expect(values.image).toEqual({
      repository: 'registry.example.com/team/n8n',
      tag: 'ffmpeg-7',
      version: '2.41.1',
    })
  })

  test('what was reserved has no limit of CPU here either; where nothing was said, it is said', () => {
    expect(values).toMatchObject({ worker: { resources: { limits: { cpu: null, memory: '1500Mi' } } } })
    expect(changes).toContainEqual(expect.objectContaining({ path: 'webhook.resources' }))
  })
})

test('each label that a proxy read is left to the user, and says the address if nothing else does', () => {
  const labels = ['traefik.enable=true', 'traefik.http.routers.n8n.rule=Host(`n8n.a.b.net`)', 'backup=daily']
  const labelled = compose({ n8n: { ...n8n, labels } })
  expect(pathsOf(labelled, 'refused')).toEqual(['services.n8n.labels[0]', 'services.n8n.labels[1]'])
  expect(labelled.values).toMatchObject({ publicUrl: 'https://n8n.a.b.net/' })
})

test('runners of one’s own image are runners', () => {
  const runner = { build: '.', environment: { N8N_RUNNERS_TASK_BROKER_URI: 'http://n8n:5679', MORE: '1' } }
  const { values } = compose({ n8n, 'n8n-runner': runner })
  expect(values).toMatchObject({ runner: { mode: 'external', extraEnv: { MORE: '1' } } })
})

test('what docker compose config prints converts, with a digest', () => {
  const printed = converted('compose', 'compose-printed.yaml')
  expect(printed.values).toMatchObject({ image: { tag: '2.41.1', digest: expect.stringMatching(/^sha256:/) } })
  expect(openOf(printed)).toEqual([])
})

test('a key of a service that Compose does not know is open', () => {
  expect(openOf(compose({ n8n: { ...n8n, enviroment: { N8N_HOST: 'n8n.a.b.net' } } }))).toEqual([
    'services.n8n.enviroment.N8N_HOST',
  ])
})

test('a variable whose name has dots is left to the user, and parts nothing', () => {
  const dotted = compose({ n8n: { ...n8n, environment: { 'my.own.variable': '1' } } })
  expect(pathsOf(dotted, 'refused')).toEqual(['services.n8n.environment.my.own.variable'])
  expect(dotted.values).not.toHaveProperty('role.extraEnv.my')
})

test.each([
  ['300000ms', 300],
  ['5m0.5s', 301],
  ['1h', 3600],
  [300, 300],
])('a service that is given %s to end has %i seconds here', (given, seconds) => {
  const { values } = compose({ n8n: { ...n8n, stop_grace_period: given } })
  expect(values).toMatchObject({
    main: { shutdown: { gracefulSeconds: seconds - 15, gracePeriodSeconds: seconds } },
  })
})

test('a time to end that nobody can read is left to the user', () => {
  expect(pathsOf(compose({ n8n: { ...n8n, stop_grace_period: 'long' } }), 'refused')).toContain(
    'services.n8n.stop_grace_period',
  )
})
