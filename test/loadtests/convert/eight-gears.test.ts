import { converted, pathsOf } from './converting.ts'

describe('release 0.x of 8gears, where n8n’s values are at the top', () => {
  const old = converted('8gears', '8gears-old.yaml')

  test('settings of n8n’s configuration file are variables', () => {
    expect(old.values).toMatchObject({
      executions: { mode: 'queue' },
      database: { type: 'external', host: 'db.example.com', name: 'flows' },
      role: { extraEnv: { EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none', EXECUTIONS_DATA_MAX_AGE: 72 } },
      worker: { replicas: 3, concurrency: 5 },
      webhook: { replicas: 2 },
      persistence: { existingClaim: 'n8n' },
    })
  })

  test('a secret is read from the file that n8n has it in', () => {
    expect(Object.fromEntries(old.secrets)).toEqual({
      N8N_ENCRYPTION_KEY: 'environment',
      DB_POSTGRESDB_PASSWORD: { file: '/n8n-secret/secret.json', keys: ['database', 'postgresdb', 'password'] },
    })
  })

  test('a setting without a variable is left to the user', () => {
    expect(pathsOf(old, 'refused')).toEqual(['config.security.excludeEndpoints'])
  })

  test('its Redis is replaced, without its password', () => {
    expect(old.values).not.toHaveProperty('redis')
  })
})

test('https before an ingress without a certificate ends at a balancer', () => {
  expect(converted('8gears', '8gears-old.yaml').values).toMatchObject({ ingress: { tls: { atBalancer: true } } })
})

test('keys of release 0.x have no effect beside main', () => {
  const { open, values } = converted('8gears', { replicaCount: 3, main: { config: { db: { type: 'sqlite' } } } })
  expect(open).toEqual([])
  expect(values).not.toHaveProperty('main.replicas')
})

test('a database without its type ends it: n8n might be an empty one', () => {
  const main = { config: { n8n: { db: { type: 'postgresdb' } } }, extraEnv: { DB_POSTGRESDB_PASSWORD: { value: 'x' } } }
  expect(() => converted('8gears', { main })).toThrow('Expected DB_TYPE beside database.password')
})
