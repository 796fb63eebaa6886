import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../../workflows')

export interface WorkflowFile {
  id: string
  name: string
  active: boolean
  nodes: {
    id: string
    name: string
    type: string
    typeVersion?: number
    position: [number, number]
    webhookId?: string
    parameters: Record<string, unknown>
  }[]
  connections: Record<string, { main: { node: string }[][] }>
}

/** Every workflow of the repository. */
export const bundled = (readdirSync(folder, { recursive: true }) as string[])
  .filter((path) => path.endsWith('.json'))
  .sort()
  .map((path) => ({
    name: basename(path, '.json'),
    path: join(folder, path),
    builtin: path.startsWith('builtin'),
    /** They need what a user has to give them first. */
    ops: path.startsWith('ops'),
    workflow: JSON.parse(readFileSync(join(folder, path), 'utf8')) as WorkflowFile,
  }))
