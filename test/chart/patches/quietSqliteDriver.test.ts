import { describe, expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'

describe.each(['2.41.1', '1.123.81'])('quietSqliteDriver on n8n %s', (version) => {
  const script = `
    const { Database } = require('sqlite3').verbose()
    const database = new Database(':memory:')
    database.all('SELECT 1 + ? AS sum', [1], (_, rows) =>
      database.all('SELECT absent', [], ({ message, stack }) => console.log(JSON.stringify({ rows, message, stack }))))`

  test('has queries answered and failures named as before, without the arguments in the stack', () => {
    const { plain, patched } = eachWay(version, 'quietSqliteDriver', script)
    const answered = { rows: [{ sum: 2 }], message: expect.stringContaining('no such column: absent') }
    expect(plain).toMatchObject({ ...answered, stack: expect.stringContaining('--> in Database#all') })
    expect(patched).toMatchObject({ ...answered, stack: expect.not.stringContaining('--> in Database#all') })
  })
})
