import { executionsOf, isOver } from '../../../loadtests/src/n8n/execution-data.ts'
import { kinds, openTables } from '../../support/execution-tables.ts'

test.each(kinds)(
  'in %s an execution that n8n was told not to keep is over, whatever its row says',
  async (kind) => {
    const tables = await openTables(kind)
    const deletedAt = '2026-11-01 09:00:00'
    for (const row of [{ status: 'running', deletedAt }, { status: 'running' }, { status: 'success', deletedAt }])
      await tables.insert({ workflow: 'a', ...row })
    const found = await executionsOf(tables.settings, ['a'])
    expect(found.map((one) => [one.status, isOver(one)])).toEqual([
      ['discarded', true],
      ['running', false],
      ['success', true],
    ])
    await tables.close()
  },
  60_000,
)
