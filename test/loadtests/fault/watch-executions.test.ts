import { setTimeout } from 'node:timers/promises'
import { judgeFate } from '../../../loadtests/src/fault/oracle.ts'
import { watchExecutions } from '../../../loadtests/src/fault/watch-executions.ts'
import { kinds, openTables, type Row, type Tables } from '../../support/execution-tables.ts'
import { refusalOf } from '../../support/refusal.ts'

const { signal } = new AbortController()
const soon = { quiet: 300, every: 20 }
const trace = 'ntr-ab12'
const keeping = (success: boolean, error: boolean) => ({
  called: [{ id: 'a', kept: { success, error }, marked: true }],
  trace,
})
const all = keeping(true, true)
const request = (id: string) => ({
  id: `${trace}-${id}`,
  began: 0,
  taken: 1,
  outcome: 'accepted' as const,
  status: 200,
})

test('requests are not called lost where the settings say of no database', async () => {
  const refusal = await refusalOf(() => watchExecutions(all, { settings: null }, signal, soon))
  expect(refusal).toMatchObject({ code: 'executions-unseen', exit: 4 })
})

test('nor where the database never answers', async () => {
  const nowhere = { settings: { HOME: '/nowhere' } }
  expect(await refusalOf(() => watchExecutions(all, nowhere, signal, soon))).toMatchObject({
    code: 'executions-unseen',
  })
})

describe.each(kinds)('in %s', (kind) => {
  let tables: Tables
  beforeAll(async () => {
    tables = await openTables(kind)
  }, 60_000)
  afterAll(() => tables.close())
  beforeEach(() => tables.empty())

  const insert = (id: string, row: Pick<Row, 'status'> & Partial<Row>) =>
    tables.insert({ workflow: 'a', headers: { 'x-n8n-tuned-request': `${trace}-${id}` }, ...row })
  const watching = (load = all) => watchExecutions(load, tables, signal, soon)
  const fateOf = async (watch: Awaited<ReturnType<typeof watching>>, ...ids: string[]) => {
    const { executions, gone } = await watch.settled()
    await watch.stop()
    return judgeFate(ids.map(request), executions, gone)
  }

  test('a loss, a double and a stuck execution are each found', async () => {
    const watch = await watching()
    await insert('0', { status: 'success' })
    await insert('0', { status: 'success' })
    await insert('1', { status: 'running' })
    const fate = await fateOf(watch, '0', '1', '2')
    expect([fate.twice, fate.stuck, fate.lost].map((named) => named.map((each) => each.request))).toEqual(
      ['0', '1', '2'].map((id) => [`${trace}-${id}`]),
    )
  })

  test('an execution is waited for until it ends', async () => {
    const watch = await watchExecutions(all, tables, signal, { ...soon, quiet: 60_000 })
    const id = await insert('0', { status: 'running' })
    const fate = fateOf(watch, '0')
    await setTimeout(3 * soon.every)
    await tables.change(id, { status: 'success' })
    expect(await fate).toMatchObject({ once: 1, stuck: [] })
  })

  test('one whose data n8n replaced is known by what was noted before', async () => {
    const watch = await watching()
    const id = await insert('0', { status: 'running' })
    await setTimeout(5 * soon.every)
    await tables.replaceData(id, '[]')
    await tables.change(id, { status: 'crashed' })
    expect(await fateOf(watch, '0')).toMatchObject({ failed: [{ request: `${trace}-0`, executions: [String(id)] }] })
  })

  test('earlier executions are nobody’s', async () => {
    await insert('0', { status: 'success' })
    const watch = await watching()
    await insert('1', { status: 'success' })
    expect((await watch.settled()).executions).toHaveLength(1)
    await watch.stop()
  })

  const deletedAt = '2026-11-01 09:00:00'

  test('with successful ones discarded, one marked for deletion ended well, whatever its row says', async () => {
    const watch = await watching(keeping(false, true))
    await insert('0', { status: 'running', deletedAt })
    expect(await fateOf(watch, '0')).toMatchObject({ once: 1, stuck: [], lost: [] })
  })

  test('with failed ones discarded, it failed', async () => {
    const watch = await watching(keeping(true, false))
    const id = await insert('0', { status: 'running', deletedAt })
    expect(await fateOf(watch, '0')).toMatchObject({ once: 0, failed: [{ executions: [String(id)] }] })
  })

  test('with both discarded, how it ended is unknown, which is neither well nor badly', async () => {
    const watch = await watching(keeping(false, false))
    const id = await insert('0', { status: 'running', deletedAt })
    expect(await fateOf(watch, '0')).toMatchObject({
      once: 0,
      failed: [],
      stuck: [],
      lost: [],
      unknown: [{ request: `${trace}-0`, executions: [String(id)] }],
    })
  })

  test('an n8n that deletes rows at once leaves the outcome unknown, and calls nothing lost', async () => {
    const watch = await watching(keeping(false, true))
    await tables.remove([await insert('0', { status: 'running' })])
    await insert('1', { status: 'error' })
    const fate = await fateOf(watch, '0', '1')
    expect(fate).toMatchObject({ lost: [], failed: [{ request: `${trace}-1` }] })
    expect(fate.once + (fate.unknown?.length ?? 0)).toBe(1)
  })

  test('requests are not called lost where the database has none of them at all', async () => {
    const watch = await watching()
    const refusal = await refusalOf(() => watch.settled())
    await watch.stop()
    expect(refusal.message).toContain('none of their executions is in it')
  })
})
