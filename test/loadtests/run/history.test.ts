import { seedHistory } from '../../../loadtests/src/run/history.ts'
import { refusalOf } from '../../support/refusal.ts'

const asked = {
  executions: 10,
  workflows: ['a'],
  folder: undefined,
  signal: new AbortController().signal,
  onProgress: () => {},
}
const of = (port: string) => ({
  DB_TYPE: 'postgresdb',
  DB_POSTGRESDB_HOST: '127.0.0.1',
  DB_POSTGRESDB_PORT: port,
})

test.each([
  ['that the lab did not start', { settings: of('5432'), stores: ['127.0.0.1:5433'] }, '127.0.0.1:5432'],
  ['that it cannot reach', { settings: null, stores: [] }, 'got none'],
])('nothing is written into a database %s', async (_, running, says) => {
  const refusal = await refusalOf(() => seedHistory(running, asked))
  expect(refusal).toMatchObject({ code: 'not-own-database', message: expect.stringContaining(says) })
})
