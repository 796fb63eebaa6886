import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { seed } from '../../../../loadtests/src/targets/local/seed.ts'
import type { SeedWorkflow } from '../../../../loadtests/src/targets/target.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const folder = temporaryFolder()
const webhook = { method: 'GET', path: '/webhook/x' }
const workflows: SeedWorkflow[] = ['one', 'two'].map((id) => ({ id, webhook, imports: [{ id: 'both' }, { id }] }))

let made = 0
/** What n8n's own command line is asked to do, word by word. */
async function asked(version: string, given = workflows): Promise<{ calls: string[][]; imported: string }> {
  const calls: string[][] = []
  const imported = join(folder, `import-${version}-${made++}`)
  await seed(async (args) => void calls.push(args), version, { workflows: given, folder: imported })
  return { calls, imported }
}

test('all workflows are imported at once, and what several call is once', async () => {
  const { calls, imported } = await asked('2.41.1')
  expect(calls[0]).toEqual(['import:workflow', '--separate', `--input=${imported}`])
  expect(readdirSync(imported)).toEqual(['00000.json', '00001.json', '00002.json'])
  expect(JSON.parse(readFileSync(join(imported, '00002.json'), 'utf8'))).toEqual({ id: 'two' })
})

test('only their owner reads them, since nodes may have secrets', async () => {
  const { imported } = await asked('2.41.1')
  expect(readdirSync(imported).map((name) => statSync(join(imported, name)).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600,
  ])
})

test('each is then published, what is called first, where n8n has published versions', async () => {
  expect((await asked('2.0.0')).calls.slice(1)).toEqual([
    ['publish:workflow', '--id=both'],
    ['publish:workflow', '--id=one'],
    ['publish:workflow', '--id=two'],
  ])
})

describe('where n8n’s database can be reached', () => {
  const published = async (publishAll: (ids: string[]) => Promise<void>) => {
    const calls: string[] = []
    const cli = async (args: string[]) => void calls.push(args[0]!)
    await seed(cli, '2.41.1', { workflows, folder: join(folder, `by-${publishAll.name}`), publishAll })
    return calls
  }

  test('they are published there, without a command that takes seconds', async () => {
    const ids: string[][] = []
    expect(await published(async (all) => void ids.push(all))).toEqual(['import:workflow'])
    expect(ids).toEqual([['both', 'one', 'two']])
  })

  test('an n8n whose tables are others is asked by its commands', async () => {
    const refused = () => Promise.reject(new Error('no such column: activeVersionId'))
    expect(await published(refused)).toEqual(['import:workflow', ...Array(3).fill('publish:workflow')])
  })
})

test.each(['0.221.2', '1.123.81'])('each that is loaded is then made active, as n8n %s calls it', async (version) => {
  expect((await asked(version)).calls.slice(1)).toEqual([
    ['update:workflow', '--id=one', '--active=true'],
    ['update:workflow', '--id=two', '--active=true'],
  ])
})

test('nothing goes on after a step that failed', async () => {
  const calls: string[] = []
  const cli = async ([command]: string[]) => {
    calls.push(command!)
    throw new Error('no')
  }
  await expect(seed(cli, '2.41.1', { workflows, folder: join(folder, 'failing') })).rejects.toThrow('no')
  expect(calls).toEqual(['import:workflow'])
})

test('credentials are imported from a file that nobody else can read, and that is gone afterwards', async () => {
  const seen: [string, number, unknown][] = []
  const cli = async ([command, input]: string[]) => {
    const file = input!.slice('--input='.length)
    if (command === 'import:credentials')
      seen.push([file, statSync(file).mode & 0o777, JSON.parse(readFileSync(file, 'utf8'))])
  }
  await seed(cli, '2.41.1', { workflows, credentials: [{ id: 'c1' }], folder: join(folder, 'with-credentials') })
  expect(seen).toEqual([[expect.any(String), 0o600, [{ id: 'c1' }]]])
  expect(existsSync(seen[0]![0])).toBe(false)
})
