import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { readDataTables } from '../../../loadtests/src/n8n/read-data-tables.ts'
import { findWorkflow } from '../../../loadtests/src/workload/open.ts'
import { refusalOf } from '../../support/refusal.ts'
import { write } from '../../support/temporary.ts'
import { folder, own, webhook } from '../fixtures/own-workflows.ts'

const item = { name: 'item', type: 'string' }
const prices = { id: 'p1', name: 'prices', columns: [item, { name: 'since', type: 'date' }] }

const read = async (content: unknown) => readDataTables(await write(folder, 'tables.json', content as object))

describe('data tables are read', () => {
  test.each([
    ['from one', prices],
    ['from a list', [prices]],
    ['from an answer of n8n’s public API', { data: [prices], nextCursor: null }],
  ])('%s', async (_, content) => {
    expect(await read(content)).toEqual([{ ...prices, rows: [] }])
  })

  test('with their rows, whose numbers and times n8n gives', async () => {
    const row = { id: 7, createdAt: '2026-01-01', updatedAt: '2026-01-01', item: 'book', since: null }
    expect(await read({ ...prices, rows: [row] })).toMatchObject([{ rows: [{ item: 'book', since: null }] }])
  })

  test('without an id: the letters and digits of the name are the id', async () => {
    expect(await read({ name: 'all-our prices 2', columns: [] })).toMatchObject([{ id: 'allourprices2' }])
  })

  test.each([
    ['no JSON', 'no', 'Expected JSON'],
    ['a table whose name gives no id', { ...prices, id: undefined, name: '价格' }, 'Expected an id'],
    ['no table', 7, 'table 1: Expected an object'],
    ['an id that n8n does not take', { ...prices, id: 'p-1' }, 'table 1.id: Expected an id of at most 36 letters'],
    [
      'a type that n8n does not have',
      { ...prices, columns: [{ name: 'a', type: 'json' }] },
      'columns.0.type: Expected one of',
    ],
    [
      'a row with another column',
      { ...prices, rows: [{ colour: 'red' }] },
      'prices: Expected rows with its columns, got "colour"',
    ],
    ['a row with no date', { ...prices, rows: [{ since: 'soon' }] }, 'prices.since: Expected a date in each row'],
  ])('but not %s', async (_, content, said) => {
    const refusal = await refusalOf(() => read(content))
    expect(refusal).toMatchObject({ code: 'bad-data-table', exit: exitCodes.usage })
    expect(refusal.message).toContain(said)
  })
})

describe('a workflow with a Data Table node', () => {
  const given = [prices, { ...prices, id: 'p2', name: 'others' }].map((table) => ({ ...table, rows: [] })) as never
  const using = async (value: string, rest: object = {}) =>
    findWorkflow(
      await own({
        name: 'Look',
        nodes: [
          webhook,
          { name: 'Table', type: 'n8n-nodes-base.dataTable', parameters: { dataTableId: { value } }, ...rest },
        ],
      }),
      { file: '', line: null },
      { dataTables: given },
    )

  test.each(['p1', 'Prices'])('takes the table with that id or name along: %s', async (value) => {
    expect((await using(value)).dataTables).toMatchObject([{ id: 'p1' }])
  })

  test('takes all along if an expression chooses the table', async () => {
    expect((await using('={{ $json.body.table }}')).dataTables).toHaveLength(2)
  })

  test('is refused without its table', async () => {
    expect(await refusalOf(() => using('p9'))).toMatchObject({
      code: 'missing-data-table',
      message: expect.stringContaining('the data table "p9"'),
    })
  })

  test('needs none if the node is disabled, or makes its table itself', async () => {
    expect((await using('p9', { disabled: true })).dataTables).toEqual([])
    expect((await using('', { parameters: { resource: 'table', operation: 'create' } })).dataTables).toEqual([])
  })
})
