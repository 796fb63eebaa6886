import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { z } from 'zod'
import { problemOf } from '../lib/errors.ts'
import { parseJson } from '../lib/json.ts'
import { pathWithin } from '../lib/names.ts'
import { readText } from '../lib/read.ts'
import { badWorkflow, exportedIn, type Exported } from './exported.ts'

/**
 * Reads workflows as n8n exports them: one, a list, or a folder with one for each file; also the scenarios of n8n's own
 * benchmark.
 */
export async function readWorkflows(path: string): Promise<Exported[]> {
  const where = relative('.', path) || '.'
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw badWorkflow(
      where,
      'a readable file',
      problemOf(error),
      error.code === 'ENOENT' ? 'Check the path.' : 'Check who may read it.',
    )
  })
  if (there.isDirectory()) return readFolder(path)
  return workflowsIn(await textOf(path), path)
}

const textOf = (path: string) =>
  readText(path).catch((error: NodeJS.ErrnoException) => {
    throw badWorkflow(relative('.', path) || '.', 'a readable file', problemOf(error))
  })

async function readFolder(folder: string): Promise<Exported[]> {
  const files = (await readdir(folder))
    .filter((file) => extname(file) === '.json' && !file.endsWith('.manifest.json'))
    .sort()
  if (!files.length) throw badWorkflow(relative('.', folder), 'JSON files in that folder', 'none')
  return (await Promise.all(files.map((file) => readWorkflows(join(folder, file))))).flat()
}

async function workflowsIn(text: string, file: string, inScenario = false): Promise<Exported[]> {
  const where = relative('.', file)
  const given = parsed(text, where)
  const scenario = Scenario.safeParse(given)
  if (scenario.success && !inScenario) {
    const files = scenario.data.scenarioData.workflowFiles.map((name) => join(dirname(file), pathWithin(name, where)))
    return (await Promise.all(files.map(async (one) => workflowsIn(await textOf(one), one, true)))).flat()
  }
  const all: unknown[] = Array.isArray(given) ? given : [given]
  if (!all.length) throw badWorkflow(where, 'a workflow as JSON', 'an empty list')
  const stray = all.find((one) => typeof one !== 'object' || one === null || !Array.isArray((one as Exported).nodes))
  if (stray !== undefined)
    throw badWorkflow(
      where,
      'a workflow as JSON',
      stray !== null && typeof stray === 'object' ? 'an object without nodes' : String(stray),
    )
  return all.map((one) => exportedIn(one, where, basename(file, '.json')))
}

/** The manifest of a scenario of n8n's benchmark: it names files beside it, and no other manifest. */
const Scenario = z.object({ scenarioData: z.object({ workflowFiles: z.array(z.string()).default([]) }) })

function parsed(text: string, where: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw badWorkflow(
      where,
      'a workflow as JSON',
      `no JSON: ${(error as Error).message}`,
      'Correct that place in the file, or export the workflow from the n8n editor again.',
    )
  }
}
