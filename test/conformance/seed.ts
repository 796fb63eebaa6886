import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Credential } from './case.ts'
import type { Side } from './side.ts'
import type { Workflow } from './workflow.ts'

/** With n8n's own command line before its first start, so that both sides know the same ids. */
export async function seed(
  cli: Side['cli'],
  place: string,
  workflows: Workflow[],
  credentials: Credential[],
  outside: string,
): Promise<void> {
  const file = async (name: string, content: object) => {
    await writeFile(join(place, name), JSON.stringify(content).replaceAll('http://outside', outside))
    return join(place, name)
  }
  await cli(
    'import:workflow',
    `--input=${await file(
      'workflows.json',
      workflows.map(({ publish: _, ...one }) => ({ ...one, name: one.id, active: false })),
    )}`,
  )
  if (credentials.length) await cli('import:credentials', `--input=${await file('credentials.json', credentials)}`)
}
