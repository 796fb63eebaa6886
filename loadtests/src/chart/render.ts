import { execa, ExecaError } from 'execa'
import { asValuesFile } from '../lib/values.ts'
import { paths, tool } from '../lib/paths.ts'
import { planFrom, type Reading } from './manifests.ts'
import type { Plan } from './plan.ts'
import type { Values } from '../model/experiment.ts'

/** The chart's schema or templates refused the values; the message is the chart's own. */
export class ValuesRefused extends Error {}

/** The plan that the chart renders from these values. */
export async function render(values: Values, reading?: Reading): Promise<Plan> {
  return { values, ...planFrom(await manifests(values), reading) }
}

/** The same, as manifests for Kubernetes. */
export async function manifests(values: Values): Promise<string> {
  refuseLong(values)
  try {
    // Values hold secrets, so they are written to no file.
    const { stdout } = await execa(tool('helm'), ['template', 'n8n-tuned', paths.chart, '--values', '-'], {
      input: asValuesFile(values),
    })
    return stdout
  } catch (error) {
    if (!(error instanceof ExecaError)) throw error
    throw new ValuesRefused(readable(String(error.stderr)))
  }
}

/** Characters. Kubernetes takes no object of more than a megabyte, and Helm renders one of them for a minute. */
const longest = 256 * 2 ** 10

function refuseLong(value: unknown, path: string[] = []): void {
  if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value))
      refuseLong(key.length > longest ? key : one, [...path, key.slice(0, 40)])
  else if (typeof value === 'string' && value.length > longest)
    throw new ValuesRefused(`${path.join('.')}: Expected a text of at most 256 KiB, got ${value.length} characters.`)
}

/** Helm wraps the chart's sentences in template positions and JSON pointers. Only the sentences help a reader. */
function readable(stderr: string): string {
  const schema = [...stderr.matchAll(/^ *- at '\/?([^']*)': (.+)$/gm)].filter(
    ([, , problem]) => !/^'\w+Of' failed/.test(problem!),
  )
  if (schema.length)
    return schema.map(([, pointer, problem]) => sentence(pointer!.split('/').filter(Boolean), problem!)).join('\n')
  return stderr
    .replace(/^.*level=\w+.*$/gm, '')
    .replace(/\s*Use --debug flag [^\n]*\s*$/, '')
    .replace(/^[\s\S]*(?:execution error at|error calling \w+:) (?:\([^)]*\): )?/, '')
    .replace(/^Error: /, '')
    .trim()
}

function sentence(path: string[], problem: string): string {
  const names = /^value must be 'under one of these names: (.+)'$/.exec(problem)?.[1]
  const told = problem.replace(/^got (.+), want (.+)$/, 'Expected $2, got $1')
  return `${path.join('.') || 'values'}: ${names ? `there is no such value. There are ${names}` : told}.`
}

/** Helm values that a refusal names: first the refused ones, which begin its lines, then the others. */
export function valuesNamed(refusal: string): string[][] {
  const refused = [...refusal.matchAll(/^([\w.-]+): /gm)].map(([, path]) => path!)
  const mentioned = [...refusal.matchAll(/\b[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)+/g)].map(([path]) => path)
  return [...new Set([...refused, ...mentioned])].map((path) => path.split('.'))
}
