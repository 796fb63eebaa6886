import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runtime } from './runtime.ts'
import { write } from './temporary.ts'

export const programs = (version: string) => `${join(runtime(version).folder, 'node_modules/.bin')}:/usr/bin:/bin`

/** A database with a credential in it, both made by n8n's own command line. Its folder is `.n8n` in this one. */
export async function storeCredential(version: string, folder: string, env: Record<string, string>): Promise<void> {
  await mkdir(join(folder, '.n8n'), { recursive: true })
  const data = { name: 'X', value: 'secret' }
  const credential = { id: '1', name: 'kept', type: 'httpHeaderAuth', nodesAccess: [], data }
  const file = await write(folder, 'credentials.json', [credential])
  const { node, n8n } = runtime(version)
  const all = { PATH: programs(version), N8N_USER_FOLDER: folder, ...env }
  execFileSync(node, [n8n, 'import:credentials', `--input=${file}`], { env: all, stdio: 'ignore' })
}
