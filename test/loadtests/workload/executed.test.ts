import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Catalog } from '../../../loadtests/src/n8n/catalog.ts'
import { handedOnIn } from '../../../loadtests/src/n8n/execution-data.ts'
import { completed } from '../../../loadtests/src/n8n/exported.ts'
import { readExecution, withSent } from '../../../loadtests/src/workload/executed.ts'
import { hintsOf } from '../../../loadtests/src/workload/inferred/hints.ts'
import { readsOf } from '../../../loadtests/src/workload/inferred/reads.ts'
import { openDirectory } from '../../../loadtests/src/workload/outside/answers/directory.ts'
import { askingOf } from '../../support/outside/asking.ts'
import { http, set, webhook, workflow } from '../../e2e/fixtures/kinds/build.ts'

/** Answers and requests of an execution that an operator gives with --execution. */

const ran = (json: unknown[], executionTime = 40) => [
  { executionTime, data: { main: [json.map((one) => ({ json: one }))] } },
]
const kept = (http: unknown[] = [{ city: 'Lima', people: 11 }]) => ({
  resultData: {
    runData: { Webhook: ran([{ body: { order: 7 }, headers: { 'x-shop': 'lima' } }]), Ask: ran(http, 80) },
  },
})

describe('an execution is read', () => {
  // As n8n writes it: a list, in which texts that are numbers stand for other entries.
  const flat = JSON.stringify([
    { resultData: '1' },
    { runData: '2' },
    { Ask: '3' },
    ['4'],
    { executionTime: 80, data: '5' },
    { main: '6' },
    ['7'],
    ['8'],
    { json: '9' },
    { city: '10' },
    'Lima',
  ])
  it.each([
    ['as its public API gives it', { id: 5, data: kept([{ city: 'Lima' }]) }],
    ['as its editor asks for it', { data: { id: '5', data: flat } }],
    ['as its database has it', flat],
  ])('%s', (_, given) => {
    expect(handedOnIn(given)!.get('Ask')).toEqual({ items: [{ city: 'Lima' }], took: 80 })
  })

  it.each([
    ['that has no data', JSON.stringify({ id: 5, status: 'success' }), 'one without the data of its nodes'],
    ['that is no JSON', 'id: 5', 'no JSON'],
  ])('and refused, with how to get one, where it is a file %s', async (_, text, got) => {
    const file = join(await mkdtemp(join(tmpdir(), 'n8n-tuned-executed-')), 'execution.json')
    await writeFile(file, text)
    await expect(readExecution(file)).rejects.toMatchObject({
      code: 'bad-execution',
      message: expect.stringContaining(got),
      hint: expect.stringContaining('includeData=true'),
    })
  })
})

const built = workflow('asks', [
  webhook('h'),
  http('Ask', 'https://api.example.com/places'),
  set('Use', { used: '={{ $json.city }}' }),
])
const exported = completed(built, built.name)

it('is what the trigger is sent', () => {
  const { pinData } = withSent(exported, handedOnIn(kept())!, 'execution.json')
  expect(pinData).toEqual({ Webhook: [{ json: { body: { order: 7 }, headers: { 'x-shop': 'lima' } } }] })
})

it('is refused where it is of another workflow', () => {
  const other = handedOnIn({ resultData: { runData: { Elsewhere: ran([{}]) } } })!
  expect(() => withSent(exported, other, 'execution.json')).toThrow(/got one with other nodes: Elsewhere/)
})

describe('a service answers', () => {
  const catalog = { node: () => null } as unknown as Catalog
  const answered = (items: unknown[]) => {
    const hints = hintsOf(exported, readsOf(exported, ['Webhook']), catalog, handedOnIn(kept(items))!)
    return openDirectory(hints)(askingOf('GET https://api.example.com/places'))
  }

  it('as it did then, and as slowly', () => {
    expect(answered([{ city: 'Lima', people: 11 }])).toEqual({
      outcome: 'answered',
      answer: { body: { city: 'Lima', people: 11 } },
      latency: { p50: 80, p95: 80 },
    })
  })

  it('with a list, where it was handed on as items', () => {
    expect(answered([{ city: 'Lima' }, { city: 'Cusco' }]).answer.body).toEqual([{ city: 'Lima' }, { city: 'Cusco' }])
  })

  it('with a text, where that was handed on', () => {
    expect(answered([{ data: '<p>Lima</p>' }]).answer).toEqual({
      headers: { 'content-type': 'text/html' },
      body: '<p>Lima</p>',
    })
  })
})
