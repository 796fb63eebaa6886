import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa, ExecaError } from 'execa'
import { stringify } from 'yaml'
import { paths, tool } from '../paths.ts'
import type { Values } from '../profile/experiment.ts'
import { planFrom } from './manifests.ts'
import type { Plan } from './plan.ts'

/** The values were refused by the chart's schema or templates; the message is the chart's own. */
export class ValuesRefused extends Error {}

/** What the chart makes of these values. */
export async function render(values: Values): Promise<Plan> {
  const folder = await mkdtemp(join(tmpdir(), 'n8n-tuned-values-'))
  try {
    const file = join(folder, 'values.yaml')
    await writeFile(file, stringify(values), { mode: 0o600 })
    const { stdout } = await execa(tool('helm'), ['template', 'n8n-tuned', paths.chart, '--values', file])
    return planFrom(stdout)
  } catch (error) {
    if (!(error instanceof ExecaError)) throw error
    throw new ValuesRefused(readable(String(error.stderr)))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Helm wraps the chart's sentence in template positions; only the sentence helps. */
function readable(stderr: string): string {
  const text = stderr.replace(/^.*level=\w+.*$/gm, '').trim()
  const thrown = /error calling (?:fail|include): (?!.*error calling)([\s\S]*)$/.exec(text)?.[1]
  return (thrown ?? text.replace(/^Error: /, '')).trim()
}

/** Dotted Helm values that a refusal speaks of, most specific first. */
export function valuesNamed(refusal: string): string[][] {
  const pointers = [...refusal.matchAll(/at '\/([^']*)'(?:[^']*properties '([^']+)' not allowed)?/g)].map(([, pointer, key]) => [
    ...pointer!.split('/').filter(Boolean),
    ...(key ? [key] : []),
  ])
  const dotted = [...refusal.matchAll(/\b[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)+/g)].map(([path]) => path.split('.'))
  return [...pointers, ...dotted].sort((a, b) => b.length - a.length)
}
