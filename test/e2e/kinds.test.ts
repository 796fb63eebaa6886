import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { render } from '../../loadtests/src/chart/render.ts'
import { processGenerator } from '../../loadtests/src/load/process.ts'
import type { OutsideCount } from '../../loadtests/src/model/outside.ts'
import { openCatalog } from '../../loadtests/src/n8n/catalog.ts'
import type { Cell } from '../../loadtests/src/run/cells.ts'
import { dryRun, type DryRun } from '../../loadtests/src/run/dry-run.ts'
import { installN8n } from '../../loadtests/src/n8n/install.ts'
import { localTarget } from '../../loadtests/src/targets/local/local.ts'
import { findWorkflows } from '../../loadtests/src/workload/open.ts'
import { code, set, webhook, workflow } from './fixtures/kinds/build.ts'
import { kinds } from './fixtures/kinds/kinds.ts'

/** Nothing that is sent changes that two of its nodes fail. */
const failing = workflow('bridged', [
  webhook('kinds-bridged', {}),
  code('Price', "if (Date.now() > 0) throw new Error('There is no price.')\nreturn [{ json: { price: 12 } }]"),
  set('Total', { total: '={{ Number($json.price) * 2 }}' }),
  code('Check', "if (Date.now() > 0) throw new Error('There is no total.')\nreturn [{ json: { status: 'ok' } }]"),
  set('Answer', { state: '={{ $json.status.toUpperCase() }}' }),
])

/** Every kind of workflow, from its file alone, on one real n8n with the real nodes. */
describe('a workflow of each kind runs from its file alone', () => {
  const { signal } = new AbortController()
  let folder: string
  let runs: Map<string, DryRun>
  let outside: OutsideCount
  let said: string[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'n8n-tuned-kinds-'))
    const tag = '2.41.1'
    const catalog = openCatalog(await installN8n({ repository: 'n8n', tag }, { signal, onProgress() {} }))
    const workflows = []
    for (const workflow of [...kinds.map((kind) => kind.workflow), failing]) {
      const file = join(folder, `${workflow.name}.json`)
      await writeFile(file, JSON.stringify(workflow))
      workflows.push(...(await findWorkflows(file, { file, line: null }, { catalog })))
    }
    const made = workflows.map((workflow) => workflow.made!)
    const credentials = [...new Map(made.flatMap((one) => one.credentials).map((one) => [one.id, one])).values()]
    said = made.flatMap((one) => one.said)
    const hints = made.flatMap((one) => one.hints)
    const target = await localTarget(processGenerator, { outside: { rules: [], allow: [], record: null, hints } })
    try {
      const plan = await render({ image: { tag }, main: { resources: { limits: { memory: '2Gi' } } } })
      const parts = workflows.map((workflow) => ({ workflow, weight: 1 }))
      const cell = { plan, traffic: { name: 'kinds', parts } } as unknown as Cell
      const progress = { say() {}, doing() {}, left() {} }
      const dry = await dryRun(cell, { target, credentials, logs: join(folder, 'logs'), progress, signal })
      runs = new Map(dry.runs.map((run) => [run.workflow, run]))
      outside = dry.outside!
    } finally {
      await target.close()
    }
  }, 600_000)
  afterAll(() => rm(folder, { recursive: true }))

  it.each(kinds.map((kind) => [kind.is, kind] as const))('%s', (_, { workflow, ran }) => {
    const run = runs.get(workflow.name)!
    expect(run.refusal?.message ?? 'its first execution succeeded').toBe('its first execution succeeded')
    expect(run.bridges).toEqual([])
    const expected = ran === 'all' ? run.nodes : ran
    expect(expected.filter((name) => !run.ran.includes(name) && name !== 'Webhook of the lab')).toEqual([])
  })

  it('and one of which two nodes fail is bridged there, and only there', () => {
    const run = runs.get(failing.name)!
    expect(run.refusal).toBeNull()
    expect(run.bridges).toMatchObject([
      { node: 'Price', said: expect.stringContaining('no price'), gives: 'read' },
      { node: 'Check', said: expect.stringContaining('no total'), gives: 'read' },
    ])
    expect(run.nodes.filter((name) => !run.ran.includes(name))).toEqual(['Price', 'Check'])
    const nodes = run.executions!.flatMap((one) => one.nodes)
    expect(nodes.find(({ name }) => name === 'Total')!.first).toMatchObject({ total: '85' })
    expect(nodes.find(({ name }) => name === 'Answer')!.first).toMatchObject({ state: expect.any(String) })
  })

  it('of a signature that is compared with no header it is said that the request has none', () => {
    expect(said).toContainEqual(expect.stringMatching(/^"Signature" computes a signature.* --request FILE\.$/))
  })

  it('and nothing of it leaves the machine', () => {
    expect(outside.left).toEqual([])
    expect(outside.calls.filter(({ outcome }) => outcome === 'refused')).toEqual([])
  })
})
