import { readFileSync } from 'node:fs'
import { bytesByArea, looksByArea } from '../../../../loadtests/src/judge/explain/by-area.ts'
import type { CpuProfile, HeapNode } from '../../../../loadtests/src/targets/profile.ts'

/** A stack from the outside in, and how often V8 saw it. */
type Stack = [looks: number, ...frames: string[]]

/** `lodash/index.js merge` is a frame of a package, `(idle)` one without a file. */
function frame(text: string) {
  const [, file = '', functionName = text] = /^(\S+[/:]\S+) (.+)$/.exec(text) ?? []
  return { functionName, url: file === '' || file.startsWith('node:') ? file : `file:///opt/n8n/node_modules/${file}` }
}

function profileOf(...stacks: Stack[]): CpuProfile {
  const nodes: CpuProfile['nodes'] = [{ id: 1, callFrame: frame('(root)'), children: [] }]
  const samples: number[] = []
  for (const [looks, ...frames] of stacks) {
    let above = nodes[0]!
    for (const text of frames) {
      const node = { id: nodes.length + 1, callFrame: frame(text), children: [] }
      above.children!.push(node.id)
      nodes.push(node)
      above = node
    }
    samples.push(...Array<number>(looks).fill(above.id))
  }
  return { nodes, samples }
}

test.each<[string, ...string[]]>([
  [
    'isolates',
    'n8n-workflow/dist/cjs/expression.js resolve',
    '@n8n/expression-runtime/dist/cjs/bridge/isolated-vm-bridge.js execute',
    'evalClosureSync',
  ],
  ['expressions', 'n8n-workflow/dist/cjs/expression.js resolve'],
  ['database', 'n8n/dist/workflow-runner.js run', '@n8n/typeorm/dist/driver/Driver.js query'],
  ['database', 'sqlite3/lib/sqlite3.js all', 'Statement'],
  ['queue', 'n8n/dist/scaling/scaling.service.js addJob'],
  ['queue', 'bull/lib/queue.js add', 'ioredis/built/Redis.js sendCommand'],
  ['serialisation', 'n8n-core/dist/execution.js run', 'flatted/cjs/index.js stringify'],
  ['serialisation', 'n8n-workflow/dist/cjs/utils.js deepCopy'],
  ['gc', 'n8n-core/dist/execution.js run', '(garbage collector)'],
  ['runner', 'n8n/dist/task-runners/task-broker/task-broker.service.js onMessage'],
  ['http', 'express/lib/router.js handle'],
  ['http', 'node:_http_outgoing end', 'writeUtf8String'],
  ['events', 'n8n/dist/eventbus/message-event-bus.js send', 'postMessage'],
  ['loading', 'n8n-core/dist/loader.js load', 'node:internal/modules/cjs/loader require'],
  ['executions', 'n8n-core/dist/execution-engine/workflow-execute.js runNode'],
  ['node', '(program)'],
])('to %s belongs %s', (area, ...frames) => {
  expect(looksByArea(profileOf([3, ...frames]))).toEqual({ [area]: 3 })
})

test('what serves others is its caller’s', () => {
  const looks = looksByArea(
    profileOf(
      [2, '@n8n/typeorm/dist/data-source.js find', 'lodash/index.js merge'],
      [5, 'n8n-core/dist/execution.js run', 'lodash/index.js merge'],
    ),
  )
  expect(looks).toEqual({ database: 2, executions: 5 })
})

test('idleness is nobody’s', () => {
  expect(looksByArea(profileOf([90, '(idle)'], [10, 'express/lib/router.js handle']))).toEqual({ http: 10 })
})

test('allocations are counted where they were made, by bytes', () => {
  const node = (text: string, selfSize: number, children: HeapNode[] = []): HeapNode => ({
    callFrame: frame(text),
    selfSize,
    children,
  })
  expect(
    bytesByArea({
      head: node('(root)', 0, [
        node('n8n-core/dist/execution.js run', 100, [
          node('flatted/cjs/index.js parse', 700),
          node('lodash/index.js merge', 50),
        ]),
      ]),
    }),
  ).toEqual({ executions: 150, serialisation: 700 })
})

test('every look of a real profile belongs to somebody, most of the main thread’s to isolates and database', () => {
  // expression-webhook under n8n's defaults, 10/s; every 40th look of 12 s.
  const real = JSON.parse(
    readFileSync(new URL('../../fixtures/expression-webhook.cpuprofile', import.meta.url), 'utf8'),
  ) as CpuProfile
  const looks = looksByArea(real)
  const idle = real.samples.filter((id) => real.nodes[id - 1]!.callFrame.functionName === '(idle)').length
  expect(Object.values(looks).reduce((sum, count) => sum + count)).toBe(real.samples.length - idle)
  expect(
    Object.entries(looks)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 2)
      .map(([area]) => area)
      .toSorted(),
  ).toEqual(['database', 'isolates'])
})
