import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { badWorkflow, completed, type Exported } from './exported.ts'

/**
 * Reads workflows as n8n exports them: one, a list, or a folder with one for each file; also the scenarios of n8n's own
 * benchmark.
 */
export async function readWorkflows(path: string): Promise<Exported[]> {
  const where = relative('.', path) || '.'
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw badWorkflow(where, 'a readable file', error.code ?? error.message)
  })
  if (there.isDirectory()) return readFolder(path)
  return workflowsIn(await readFile(path, 'utf8'), path)
}

async function readFolder(folder: string): Promise<Exported[]> {
  const files = (await readdir(folder))
    .filter((file) => extname(file) === '.json' && !file.endsWith('.manifest.json'))
    .sort()
  if (!files.length) throw badWorkflow(relative('.', folder), 'JSON files in that folder', 'none')
  return (await Promise.all(files.map((file) => readWorkflows(join(folder, file))))).flat()
}

async function workflowsIn(text: string, file: string): Promise<Exported[]> {
  const where = relative('.', file)
  const given = parsed(text, where)
  const scenario = (given as Scenario | null)?.scenarioData
  if (scenario)
    return (
      await Promise.all((scenario.workflowFiles ?? []).map((name) => readWorkflows(join(dirname(file), name))))
    ).flat()
  const all: unknown[] = Array.isArray(given) ? given : [given]
  if (!all.length) throw badWorkflow(where, 'a workflow as JSON', 'an empty list')
  const stray = all.find((one) => typeof one !== 'object' || one === null || !Array.isArray((one as Exported).nodes))
  if (stray !== undefined)
    throw badWorkflow(
      where,
      'a workflow as JSON',
      stray !== null && typeof stray === 'object' ? 'an object without nodes' : String(stray),
    )
  return all.map((one) => completed(one as Exported, basename(file, '.json')))
}

/** The manifest of a scenario of n8n's benchmark. */
interface Scenario {
  scenarioData?: { workflowFiles?: string[] }
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw badWorkflow(where, 'a workflow as JSON', (error as Error).message)
  }
}
