import { createHash } from 'node:crypto'
import { summarise } from '../../../../loadtests/src/judge/summarise.ts'
import { renderHtml } from '../../../../loadtests/src/report/render.ts'
import { seriesOf } from '../../../../loadtests/src/report/series.ts'
import { T0, cell, end, run, sample, step } from '../../fixtures/records.ts'
import { explainedRun, matrixRun, queueRun, quickRun, tuneRun, wideRun, workersRun } from '../../fixtures/runs.ts'
import type { RunRecord } from '../../../../loadtests/src/model/record.ts'

const render = (records: RunRecord[]): string => renderHtml(summarise(records), seriesOf(records))

test('answers the question first, every workflow with its own figure', () => {
  const page = render(quickRun())
  const lead = page.match(/<p class="lead">(.*?)<\/p>/)![1].replace(/<[^>]+>/g, '')
  expect(lead).toBe(
    'measured With tuned, this n8n sustains about 113/s (105 to 276) of wait-5s-webhook, about 99.9/s (92.4 to 244) of '
      + 'ping-webhook and about 22.1/s (20.3 to 53.6) of expression-webhook.',
  )
})

test('gives each workflow’s figures in its own section only', () => {
  const page = render(quickRun())
  const sections = page.split('<section id="workflow-').slice(1)
  expect(
    sections.map((section) =>
      ['113/s', '99.9/s', '22.1/s'].filter((figure) => section.split('</section>')[0].includes(`>${figure}<`)),
    ),
  ).toEqual([['113/s'], ['99.9/s'], ['22.1/s']])
})

test('shows warnings and a run that was cut short before the results', () => {
  const page = render(quickRun({ warnings: ['The machine was busy.'] }).slice(0, 200))
  expect(page.indexOf('The machine was busy.')).toBeGreaterThan(0)
  expect(page.indexOf('partial report')).toBeLessThan(page.indexOf('id="workflow-0"'))
})

test('shows of a queue how it stood, and how long executions waited and ran', () => {
  const page = render(queueRun())
  expect(page).toContain('<h3>In the queue</h3>')
  expect(page).toMatch(/<td>40\/s<\/td><td>4 ms \/ 31 ms<\/td><td>22 ms \/ 48 ms<\/td>/)
  expect(page).toContain('Queue of tuned')
  expect(render(quickRun())).not.toContain('In the queue')
})

test('draws a limit only where all processes have the same', () => {
  const limited = (memory: number): RunRecord[] => [
    run(),
    { ...cell(0), limits: { 'main-0': { cpu: 1, memory: 2 ** 30 }, 'worker-0': { cpu: 1, memory } } } as RunRecord,
    sample(0, T0 + 1000),
    sample(0, T0 + 1000, { process: 'worker-0' }),
    step(0, 50),
    end(),
  ]
  expect(render(limited(2 ** 30))).toContain('"label":"limit 1 GiB"')
  expect(render(limited(2 ** 29))).not.toContain('"label":"limit 1 GiB"')
  expect(render(limited(2 ** 29))).toContain('"label":"limit 1 core"')
})

test('says of limits what the run recorded, and nothing of its own', () => {
  const spoken = render([
    run({ environment: { limits: 'not enforced', warnings: ['Limits not enforced: the figures are the machine’s.'] } }),
    end(),
  ])
  expect(spoken.match(/not enforced/gi)!.length).toBe(
    render([run({ environment: { limits: 'not enforced' } }), end()]).match(/not enforced/gi)!.length + 1,
  )
})

test('gives what a reader needs to redo the run', () => {
  const page = render(quickRun())
  for (const part of [
    'n8n-tuned compare --profile quick',
    'n8n 2.41.1',
    'Example CPU',
    'cgroup v2',
    '0.12, 0.2, 0.18',
    '9,420/s',
    'backlog: 0.05',
  ]) {
    expect(page).toContain(part)
  }
})

test('tells what each setting is worth, with what that may be off by', () => {
  const page = render(tuneRun())
  const row = /<th scope="row">lazyIsolates<\/th><td>\+3\d0 %<\/td><td>[\d.]+ %<\/td>/
  expect(page).toMatch(row)
  expect(page).toContain('no difference beyond 5 %')
})

test('shows a matrix as a map, with p99 and spread in every square', () => {
  const page = render(matrixRun())
  const [map] = page.match(/<table class="map">[\s\S]*?<\/table>/)!
  expect(map.match(/<td class="h[1-5]">[\d.,]+\/s[\s\S]*?p99 [\d.]+ m?s, spread [\d.]+ %<\/span><\/td>/g)).toHaveLength(
    12,
  )
  expect(map).toContain('memory ╲ cpu')
})

test('shows of a matrix what each cell costs, where all were asked for the same rate', () => {
  const load = { shape: 'constant', rate: 50, duration: 10, timeout: 30 } as const
  const matrix = { 'main.cpu': [1, 2], 'main.memory': [1, 2] }
  const squares = [1, 2].flatMap((cpu) => [1, 2].map((memory) => ({ 'main.cpu': cpu, 'main.memory': memory })))
  const cells = squares.flatMap((square, index) => [
    cell(index, { matrix: square, cost: 10 * (index + 1) }),
    step(index, 50, { because: index === 0 ? ['latency'] : [] }),
  ])
  const page = render([
    run({ experiment: { load, matrix, variants: [{ name: 'tuned', values: {} }] } }),
    ...cells,
    end(),
  ])
  const [map] = page.match(/<table class="map">[\s\S]*?<\/table>/)!
  expect(map).toContain('<td class="missed">10: latency')
  expect(map).toMatch(/<td class="h1">20 <span class="pill good">recommended<\/span>/)
  expect(map).toContain('<td class="h5">40')
})

test('draws how capacity grows with replicas, and says where no law fits', () => {
  const page = render(workersRun())
  expect(page.match(/<polyline class="through"/g)).toHaveLength(1)
  expect(page.match(/<circle class="dot"/g)).toHaveLength(8)
  expect(page).toContain('no scaling law. Expected capacities within 10 % of the law')
})

test('says what got worse against an earlier run', () => {
  const earlier = {
    id: 'before',
    calibration: null,
    results: [{ variant: 'tuned', workflow: 'ping-webhook', cell: {}, capacities: [79, 80, 81], peaks: [] }],
  }
  const page = render([
    run(),
    { type: 'gate', at: T0, bounds: { capacity: 0.08, memory: 0.15, cpu: 0.08 }, earlier },
    cell(0),
    ...[1, 2, 3].map((repeat) => step(0, 49 + repeat, { repeat })),
    end(),
  ])
  expect(page).toContain('1 of 1 figures got worse.')
  expect(page).toContain('<span class="pill bad">worse</span> ping-webhook, tuned: capacity 51/s, was 80/s')
})

test('nothing in a run can become markup', () => {
  const evil = '</script><img src=x onerror=alert(1)>'
  const page = render([
    run({
      command: evil,
      experiment: {
        name: evil,
        question: evil,
        workflows: [evil],
        variants: [{ name: evil, values: { [evil]: evil } }],
      },
      environment: { warnings: [evil], versions: { [evil]: evil } },
    }),
    cell(0, { variant: evil, workflow: evil, matrix: { [evil]: evil } }),
    sample(0, T0 + 1000, { process: evil }),
    step(0, 50),
    step(0, 60, { because: ['latency'] }),
  ])
  expect(page).not.toContain('<img')
  expect(page.match(/<script/g)).toHaveLength(2)
})

test('lets only its own script and style run', () => {
  const page = render(quickRun())
  const policy = page.match(/Content-Security-Policy" content="([^"]+)"/)![1].replaceAll('&#39;', "'")
  for (const [element, directive] of [
    ['style', 'style-src'],
    ['script', 'script-src'],
  ]) {
    const text = page.match(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`))![1]
    expect(policy).toContain(`${directive} 'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  }
})

test('asks for nothing outside itself', () => {
  expect(render(quickRun())).not.toMatch(/(?:src|href)="(?!#)/)
})

test('a run of 24 cells with three processes each stays under 3 MB', () => {
  expect(Buffer.byteLength(render(wideRun()))).toBeLessThan(3 * 2 ** 20)
})

test('shows which functions took the CPU time of each process', () => {
  const page = render(explainedRun())
  expect(page).toContain('<h2 id="explained">Where the CPU time goes</h2>')
  expect(page).toContain('<th scope="row">createIsolate</th>')
  expect(render(quickRun())).not.toContain('Where the CPU time goes')
})
