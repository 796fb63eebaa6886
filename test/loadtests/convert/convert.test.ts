import { exitCodes, type LabError } from '../../../loadtests/src/lib/errors.ts'
import { converted, openOf, pathsOf } from './converting.ts'

const standalone = { queueMode: { enabled: false }, database: { useExternal: false } }

test('each unknown key is open, however many there are', () => {
  const colours = Object.fromEntries([...'abcdefghi'].map((name) => [name, 'green']))
  const nine = converted('official', { ...standalone, mainframe: colours })
  expect(openOf(nine)).toEqual([...'abcdefghi'].map((name) => `mainframe.${name}`))
})

test('an unknown key that is off is open too; one without a value says nothing', () => {
  const { open } = converted('official', { ...standalone, mainframe: { off: false, empty: {} }, none: null })
  expect(open.map(({ path }) => path)).toEqual(['mainframe.off'])
})

test('an unknown key in a map that is known is open', () => {
  expect(openOf(converted('community', { worker: { mode: 'queue', replicas: 3 } }))).toEqual(['worker.replicas'])
})

test('a key that the user leaves out is dropped, with all below it', () => {
  const left = converted('official', { ...standalone, mainframe: { a: 1, b: 2 } }, { drop: ['mainframe'] })
  expect(openOf(left)).toEqual([])
  expect(pathsOf(left, 'dropped')).toContain('mainframe')
  expect(() => converted('official', standalone, { drop: ['mainframe'] })).toThrow('found none at mainframe')
})

test('what begins with _ or x- is the author’s own', () => {
  const { open } = converted('8gears', { main: { config: {} }, _shared: { url: 'x' }, 'x-more': 1 })
  expect(open).toEqual([])
})

test('a key of which another says otherwise is dropped, and the other is named', () => {
  const { account } = converted('official', {
    ...standalone,
    executions: { timeout: 60 },
    config: { extraEnv: [{ name: 'EXECUTIONS_TIMEOUT', value: '90' }] },
  })
  expect(account.rows().find(({ path }) => path === 'executions.timeout')).toMatchObject({
    outcome: { is: 'dropped', why: expect.stringContaining('config.extraEnv[0] says otherwise') },
  })
})

test.each(['stable', 'latest', '2', undefined])('an image %s needs the n8n that runs there', (tag) => {
  const refused = () => converted('official', { ...standalone, image: { tag } }, { tag: undefined })
  expect(refused).toThrow(expect.objectContaining({ code: 'which-version', exit: exitCodes.usage }))
  expect(refused).toThrow(
    expect.objectContaining<Partial<LabError>>({
      hint: expect.stringContaining('kubectl exec deployment/n8n-main -- n8n --version'),
    }),
  )
})

test('an exact image says it', () => {
  expect(converted('official', { ...standalone, image: { tag: '1.123.81' } }, { tag: undefined }).values).toMatchObject(
    { image: { tag: '1.123.81' } },
  )
})

test.each([
  ['n8n', {}, 'n8n'],
  ['my-n8n', {}, 'my-n8n'],
  ['prod', {}, 'prod-n8n'],
  ['prod', { nameOverride: 'flows' }, 'prod-flows'],
  ['prod', { fullnameOverride: 'flows' }, 'flows'],
])('objects of the release %s with %o are called %s', (release, names, claim) => {
  const theirs = { ...standalone, ...names, persistence: { enabled: true } }
  expect(converted('official', theirs, { release }).values).toMatchObject({ persistence: { existingClaim: claim } })
})

test('SQLite without a volume is said to go with its pod', () => {
  expect(pathsOf(converted('community', {}), 'refused')).toContain('persistence')
})

test('more processes than PostgreSQL has connections for get n8n’s own pool, or are left to the user', () => {
  const many = (maxReplicas: number) => converted('official', { hpa: { worker: { enabled: true, maxReplicas } } })
  expect(many(4).values).not.toHaveProperty('database.poolSize')
  expect(many(20).values).toMatchObject({ database: { poolSize: 2 } })
  expect(many(50)).toMatchObject({
    values: { database: { poolSize: 2, maxConnections: expect.any(Number) } },
    todos: [{ path: 'database.maxConnections' }],
  })
})

test('what looks like a key goes into the Secret, whatever its name', () => {
  const config = { pantry: 'tr0ub4dor-and3', region: 'eu-west', home_page: 'https://example.com/v2/about' }
  const { values } = converted('8gears', { main: { config } })
  expect(JSON.stringify(values)).not.toContain('tr0ub4dor')
  expect(values).toMatchObject({ role: { extraEnv: { PANTRY: { valueFrom: {} }, REGION: 'eu-west' } } })
  expect(values).toHaveProperty('role.extraEnv.HOME_PAGE', config.home_page)
})

test('what every role has is said once', () => {
  const worker = { enabled: true, config: { same: 'for all', own: 'yes' } }
  const { values } = converted('8gears', { main: { config: { same: 'for all' } }, worker })
  expect(values).toMatchObject({ role: { extraEnv: { SAME: 'for all' } } })
  expect(values.worker).toMatchObject({ extraEnv: { OWN: 'yes' } })
  expect(values).not.toHaveProperty('worker.extraEnv.SAME')
})
