import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../../loadtests/src/lib/paths.ts'

/** As the template n8n-tuned.script leaves comments and empty lines out. */
const comments = /^ *(\/\/|\/\*\*|\*[ /]).*\n|^\n/gm
const contentOf = (file: string) =>
  readFileSync(join(paths.chart, 'files', file), 'utf8')
    .replace(comments, '')
    .trim()

/** A script of the chart, as the template that runs it puts it together from the chart's files. */
export const chartScript = (...files: string[]): string => files.map(contentOf).join('\n')

interface Given {
  node: string
  env: Record<string, string>
  cwd?: string
}

/** What it says when it has ended, and its exit code. */
export function runScript(script: string, given: Given): Promise<{ says: string; code: number }> {
  return new Promise((resolve) => {
    execFile(given.node, ['-e', script], given, (error, stdout, stderr) => {
      resolve({ says: `${stdout}${stderr}`, code: Number(error?.code ?? 0) })
    })
  })
}
