import { cpSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isLine0, type Version } from './runtime.ts'

/** Runs n8n's own command line, with these flags for its Node. */
type Cli = (args: string[], nodeFlags?: string[]) => Promise<unknown>

/** Imports the files as they are and publishes them, all with n8n's own command line and before its first start. */
export async function seed(
  cli: Cli,
  version: Version,
  workflows: string[],
  credentials: object[],
  home: string,
): Promise<void> {
  if (credentials.length) {
    // n8n 0.x stores none without this list, whatever is in it.
    await writeFile(
      join(home, 'credentials.json'),
      JSON.stringify(credentials.map((one) => ({ ...one, nodesAccess: [] }))),
    )
    await cli(['import:credentials', `--input=${join(home, 'credentials.json')}`])
  }
  if (!workflows.length) return
  const folder = join(home, 'workflows')
  await mkdir(folder)
  for (const file of workflows) cpSync(file, join(folder, basename(file)))
  await cli(['import:workflow', '--separate', `--input=${folder}`])
  const ids = await Promise.all(workflows.map(async (file) => JSON.parse(await readFile(file, 'utf8')).id as string))
  if (isLine0(version)) {
    for (const id of ids) await cli(['update:workflow', `--id=${id}`, '--active=true'])
  } else {
    await cli(['publish:workflow', `--id=${ids.join()}`], ['--require', join(import.meta.dirname, 'publish-each.cjs')])
  }
}

export async function webhookPaths(file: string): Promise<string[]> {
  const { nodes } = JSON.parse(await readFile(file, 'utf8')) as {
    nodes: { type: string; parameters: { path: string } }[]
  }
  return nodes.filter(({ type }) => type === 'n8n-nodes-base.webhook').map(({ parameters }) => parameters.path)
}

/**
 * Asks as a browser does before it calls, which calls nothing. 2.x registers webhooks a while after it says that
 * it is ready, and answers this with 500 until then.
 */
export async function isRegistered(webhook: string): Promise<boolean> {
  const answers = await Promise.all(
    ['GET', 'POST'].map(async (method) => {
      const headers = { origin: 'http://localhost', 'access-control-request-method': method }
      const response = await fetch(webhook, { method: 'OPTIONS', headers })
      await response.arrayBuffer()
      return response.status === 204
    }),
  )
  return answers.includes(true)
}
