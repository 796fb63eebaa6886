import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { renderConsole } from '../../../loadtests/src/report/render.ts'
import { undecided } from '../fixtures/undecided.ts'
import { cell, end, run, step } from '../fixtures/records.ts'
import { closedRun, explainedRun, mixedRun, quickRun } from '../fixtures/runs.ts'

test('is enough by itself: answer, table, comparison, recommendation', () => {
  expect(renderConsole(summarise(quickRun()), { color: false })).toBe(`
Objective: p95 ≤ 500 ms, errors ≤ 0.1 %, backlog growth ≤ 5 %.

workflow            configuration  capacity  spread   p95                broke first by               peak memory
wait-5s-webhook     n8n-defaults   4.9/s     one run  134 ms at 4.9/s    killed for memory at 5.12/s  738 MiB of 1 \
GiB
                    tuned *        113/s     one run  65.2 ms at 113/s   latency at 119/s             661 MiB of 1 \
GiB
ping-webhook        n8n-defaults   17.8/s    one run  410 ms at 17.8/s   latency at 18.7/s            907 MiB of 1 \
GiB
                    tuned *        99.9/s    one run  73.8 ms at 99.9/s  latency at 105/s             683 MiB of 1 \
GiB
expression-webhook  n8n-defaults   15.4/s    one run  449 ms at 15.4/s   latency at 16.2/s            872 MiB of 1 \
GiB
                    tuned *        22.1/s    one run  333 ms at 22.1/s   latency at 23.3/s            707 MiB of 1 \
GiB

wait-5s-webhook: tuned is better than n8n-defaults: 23.1 times (18.1 to 57.3) the capacity. tuned sustains about \
113/s (105 to 276); n8n-defaults sustains about 4.9/s (4.14 to 6.18).
ping-webhook: tuned is better than n8n-defaults: 5.61 times (2.3 to 13.7) the capacity. tuned sustains about \
99.9/s (92.4 to 244); n8n-defaults sustains about 17.8/s (16.4 to 43.4).
expression-webhook: Whether tuned is better than n8n-defaults is not known: 1.44 times (0.581 to 3.5) the \
capacity. tuned sustains about 22.1/s (20.3 to 53.6); n8n-defaults sustains about 15.4/s (14.2 to 37.9).

Run tuned under wait-5s-webhook at up to 99.1/s, its safe rate. \`./n8n-tuned check --hold 15m\` shows whether it \
lasts.
Run tuned under ping-webhook at up to 87.3/s, its safe rate. \`./n8n-tuned check --hold 15m\` shows whether it \
lasts.
Run tuned under expression-webhook at up to 19.4/s, its safe rate. \`./n8n-tuned check --hold 15m\` shows whether \
it lasts.

n8n-defaults: you lose no function of n8n.
tuned: you lose no function of n8n.

Recommended: the values of tuned, in values.yaml.

Answer: measured. With tuned, this n8n sustains about 113/s (105 to 276) of wait-5s-webhook, about 99.9/s (92.4 to \
244) of ping-webhook and about 22.1/s (20.3 to 53.6) of expression-webhook.`)
})

test('marks with colour only where colour is wanted', () => {
  const summary = summarise(closedRun())
  expect(renderConsole(summary, { color: false })).not.toContain('\u001b')
  expect(renderConsole(summary, { color: true })).toContain('\u001b')
})

test('gives warnings, and says of a partial run that it is one', () => {
  const text = renderConsole(summarise([run({ environment: { warnings: ['limits not enforced'] } })]), { color: false })
  expect(text).toContain('warning: The run was interrupted')
  expect(text).toContain('warning: limits not enforced')
  expect(text).toContain('The run ended before it was measured.')
  expect(text).toContain('Nothing is recommended.')
})

test('says of a missed objective what missed it', () => {
  const records = [
    run({ experiment: { variants: [{ name: 'tuned', values: {} }] } }),
    cell(0),
    step(0, 5, { because: ['latency'], p95: 900 }),
    end(),
  ]
  const text = renderConsole(summarise(records), { color: false })
  expect(text).toContain('No configuration met the objective')
  expect(text).toMatch(/tuned +none +– +– +latency at 5\/s/)
})

test('says what would decide which is better, where only what each sustains was asked', () => {
  const text = renderConsole(undecided(summarise(quickRun()), { asks: 'capacity' }), { color: false })
  expect(text).toContain('Measured. Which is better stayed open: ')
  expect(text).toContain('./n8n-tuned compare --profile quick --within 5% --budget 1h')
})

test('says which functions took the CPU time', () => {
  expect(renderConsole(summarise(explainedRun()), { color: false })).toContain(`
expression-webhook on n8n-defaults: Under V8’s profiler at 10/s; shares are of the time in which the main thread worked.
  main-0: 0.625 cores, 0.3 of them on its main thread
     60 %  createIsolate @n8n/expression-runtime/dist/bridge.js:41
      8 %  (garbage collector)
`)
})

test('says of a mix what each workflow was answered', () => {
  const text = renderConsole(summarise(mixedRun()), { color: false })
  expect(text).toContain('This n8n sustains 40/s of mixed-traffic.')
  expect(text).toContain(
    'Of the mix, ping-webhook accepted 1,800 (1,800 finished) with p95 at 35 ms and expression-webhook '
      + 'accepted 600 (597 finished) with p95 at 210 ms.',
  )
})
