import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../../../loadtests/src/judge/statistics.ts'
import { startN8n } from '../../support/n8n.ts'
import { runtime, type Version } from '../../support/runtime.ts'
import { COUNT, countFunction, nodes, WAIT_MS, workflow } from './workflows.ts'

export const WARM_UP = 15
export const ROUNDS = 60

export interface Overhead {
  version: Version
  kind: 'wait' | 'burn'
  /** Milliseconds, all of them: of the work itself, of a webhook alone, and what each node adds to both. */
  workMs: number
  webhookMs: number
  loadTargetMs: number
  codeMs: number
}

/** What Load Target costs n8n beyond the work it is told, and what the Code node costs that is told the same. */
export async function measureOverhead(version: Version): Promise<Overhead[]> {
  const took = await requestAll(version)
  const webhookMs = median(took.get('nothing')!)
  return (['wait', 'burn'] as const).map((kind) => {
    const workMs = kind === 'wait' ? WAIT_MS : bareBurnMs(version)
    const added = (node: string) => median(took.get(`${node}-${kind}`)!) - webhookMs - workMs
    return { version, kind, workMs, webhookMs, loadTargetMs: added('load-target'), codeMs: added('code') }
  })
}

/**
 * Milliseconds of every request: one at a time, the workflows in turn, so that what changes in time changes for all.
 */
async function requestAll(version: Version): Promise<Map<string, number[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'n8n-tuned-bench-'))
  const names = Object.keys(nodes)
  const files = names.map((name) => join(folder, `${name}.json`))
  await Promise.all(names.map((name, number) => writeFile(files[number]!, JSON.stringify(workflow(name, number)))))
  const n8n = await startN8n(version, files, {
    env: {
      EXECUTIONS_PROCESS: 'main',
      N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
      EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
    },
  })
  const took = new Map(names.map((name) => [name, [] as number[]]))
  try {
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      for (const [name, times] of took) {
        const ms = await request(`${n8n.url}/webhook/${name}`)
        if (round >= 0) times.push(ms)
      }
    }
  } finally {
    await n8n.stop()
    await rm(folder, { recursive: true })
  }
  return took
}

async function request(url: string): Promise<number> {
  const started = performance.now()
  const response = await fetch(url)
  const body = await response.text()
  if (response.status !== 200) throw new Error(`Expected 200 from ${url}, got ${response.status}: ${body}`)
  return performance.now() - started
}

/** The burn in nothing but the Node of that n8n. */
function bareBurnMs(version: Version): number {
  const script = `
    ${countFunction}
    const took = []
    for (let round = 0; round < ${WARM_UP + ROUNDS}; round++) {
      const started = performance.now()
      count(${COUNT})
      took.push(performance.now() - started)
    }
    console.log(JSON.stringify(took.slice(${WARM_UP})))`
  return median(JSON.parse(execFileSync(runtime(version).node, ['-e', script], { encoding: 'utf8' })))
}
