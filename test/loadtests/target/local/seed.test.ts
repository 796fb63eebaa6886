import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seed } from '../../../../loadtests/src/target/local/seed.ts'
import type { SeedWorkflow } from '../../../../loadtests/src/target/target.ts'
import { temporaryFolder, write } from '../../../support/temporary.ts'

const folder = temporaryFolder()
const webhook = { method: 'GET', path: '/webhook/x' }
let workflows: SeedWorkflow[]
beforeAll(async () => {
  workflows = await Promise.all(['one', 'two'].map(async (id) => ({ id, webhook, file: await write(folder, `${id}.json`, { id }) })))
})

/** What n8n's own command line is asked to do, word by word. */
async function asked(version: string, given = workflows): Promise<{ calls: string[][]; imported: string }> {
  const calls: string[][] = []
  const imported = join(folder, `import-${version}`)
  await seed(async (args) => void calls.push(args), version, given, imported)
  return { calls, imported }
}

test('all workflows are imported at once, as their files are', async () => {
  const { calls, imported } = await asked('2.41.1')
  expect(calls[0]).toEqual(['import:workflow', '--separate', `--input=${imported}`])
  expect(readdirSync(imported)).toEqual(['one.json', 'two.json'])
  expect(JSON.parse(readFileSync(join(imported, 'two.json'), 'utf8'))).toEqual({ id: 'two' })
})

test('each is then published, where n8n has published versions', async () => {
  expect((await asked('2.0.0')).calls.slice(1)).toEqual([['publish:workflow', '--id=one'], ['publish:workflow', '--id=two']])
})

test.each(['0.221.2', '1.123.81'])('each is then made active, as n8n %s calls it', async (version) => {
  expect((await asked(version)).calls.slice(1)).toEqual([['update:workflow', '--id=one', '--active=true'], ['update:workflow', '--id=two', '--active=true']])
})

test('nothing goes on after a step that failed', async () => {
  const calls: string[] = []
  const cli = async ([command]: string[]) => {
    calls.push(command!)
    throw new Error('no')
  }
  await expect(seed(cli, '2.41.1', workflows, join(folder, 'failing'))).rejects.toThrow('no')
  expect(calls).toEqual(['import:workflow'])
})
