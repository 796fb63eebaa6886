import { exitCodes, type LabError } from '../../../loadtests/src/errors.ts'
import { converted, pathsOf } from './converting.ts'

const standalone = { queueMode: { enabled: false }, database: { useExternal: false } }

test('an unknown value is left to the user, by its path; an empty one, or one that is off, is not', () => {
  const { left } = converted('official', { mainframe: { colour: 'green', empty: {}, off: false }, none: null })
  expect(pathsOf(left)).toEqual(['mainframe'])
})

test('what begins with _ or x- is the author’s own', () => {
  expect(pathsOf(converted('8gears', { _shared: { url: 'x' }, 'x-more': 1 }).left)).toEqual(['persistence'])
})

test('a value in a map that we know, but not as a whole, is named by its own path', () => {
  expect(pathsOf(converted('official', { resources: { requests: { cpu: 1 } } }).left)).toContain('resources.requests')
})

test('the same is said once', () => {
  const { left } = converted('official', { serviceAccount: { awsRoleArn: 'arn', annotations: { a: 'b' } } })
  expect(pathsOf(left).filter((path) => path.startsWith('serviceAccount'))).toHaveLength(1)
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
  expect(pathsOf(converted('community', {}).left)).toContain('persistence')
})

test('more processes than PostgreSQL has connections for get n8n’s own pool, or are left to the user', () => {
  const many = (maxReplicas: number) => converted('official', { hpa: { worker: { enabled: true, maxReplicas } } })
  expect(many(4).values).not.toHaveProperty('database.poolSize')
  expect(many(20).values).toMatchObject({ database: { poolSize: 2 } })
  expect(many(50)).toMatchObject({
    values: { database: { poolSize: 2, maxConnections: expect.any(Number) } },
    left: [{ path: 'database.maxConnections' }],
  })
})

test('what every role has is said once', () => {
  const worker = { enabled: true, config: { same: 'for all', own: 'yes' } }
  const { values } = converted('8gears', { main: { config: { same: 'for all' } }, worker })
  expect(values).toMatchObject({ role: { extraEnv: { SAME: 'for all' } } })
  expect(values.worker).toEqual({ extraEnv: { OWN: 'yes' } })
})
