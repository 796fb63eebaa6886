import { PassThrough } from 'node:stream'
import { openTerminal } from '../../../loadtests/src/cli/terminal.ts'
import { cell, run, step } from '../fixtures/records.ts'

function open(isTTY: boolean, columns = 80) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns }) as unknown as NodeJS.WriteStream
  const terminal = openTerminal(stream)
  return { terminal, written: () => (stream as unknown as PassThrough).read()?.toString() ?? '' }
}

describe('where there is no terminal', () => {
  test('every step is a line, without the means of one', () => {
    const { terminal, written } = open(false)
    terminal.doing('starting n8n')
    terminal.say('50/s holds')
    terminal.close()
    expect(written()).toBe('… starting n8n\n50/s holds\n')
  })

  test('the same step is told once', () => {
    const { terminal, written } = open(false)
    terminal.doing('installing')
    terminal.doing('installing')
    terminal.doing('starting')
    expect(written()).toBe('… installing\n… starting\n')
  })

  test('each measured step is a line with its verdict; a warm-up is none', () => {
    const { terminal, written } = open(false)
    const warmUp = step(0, null, { purpose: 'warm-up' })
    for (const record of [run(), cell(0, { variant: 'n8n-defaults' }), warmUp, step(0, 60, { because: ['latency'] })])
      terminal.recorded(record)
    expect(written()).toMatch(/^ {2}ping-webhook on n8n-defaults: 60\/s does not hold.*, p95 \d+ ms: .+\n$/)
  })

  test('a step that others disturbed is called neither good nor bad', () => {
    const { terminal, written } = open(false)
    for (const record of [run(), cell(0), step(0, 60, { because: ['machine-busy'] })]) terminal.recorded(record)
    expect(written()).toMatch(/60\/s tells nothing, p95 \d+ ms: .+\n$/)
  })
})

test('how long the run will still take is a line', () => {
  const { terminal, written } = open(false)
  terminal.left(272)
  terminal.left(20)
  terminal.close()
  expect(written()).toBe('  about 5 min left\n  less than a minute left\n')
})

describe('on a terminal', () => {
  test('how long the run will still take stands behind what goes on', () => {
    const { terminal, written } = open(true)
    terminal.doing('warming up')
    terminal.left(272)
    terminal.close()
    expect(written()).toBe('\r\x1b[Kwarming up 0 s\r\x1b[Kwarming up 0 s · about 5 min left\r\x1b[K')
  })

  test('what goes on replaces itself, with the time it has taken', () => {
    const { terminal, written } = open(true)
    terminal.doing('starting n8n')
    terminal.doing('warming up')
    terminal.close()
    expect(written()).toBe('\r\x1b[Kstarting n8n 0 s\r\x1b[Kwarming up 0 s\r\x1b[K')
  })

  test('a line that stays goes above it', () => {
    const { terminal, written } = open(true)
    terminal.doing('at 60/s')
    terminal.say('50/s holds')
    terminal.close()
    expect(written()).toBe('\r\x1b[Kat 60/s 0 s\r\x1b[K50/s holds\n\r\x1b[Kat 60/s 0 s\r\x1b[K')
  })

  test('it is never wider than the terminal, where it would leave lines behind', () => {
    const { terminal, written } = open(true, 20)
    terminal.doing('x'.repeat(100))
    terminal.close()
    expect(written()).toBe(`\r\x1b[K${'x'.repeat(19)}\r\x1b[K`)
  })

  test('steps are a table that grows, under the name of what they measured; a full bar is the objective', () => {
    const { terminal, written } = open(true, 120)
    const steps = [step(0, 40, { p95: 250 }), step(0, 60, { p95: 900, because: ['latency'] })]
    for (const record of [run(), cell(0, { variant: 'n8n-defaults' }), ...steps, cell(1), step(1, 50, { p95: 40 })])
      terminal.recorded(record)
    terminal.close()
    expect(written().replaceAll('\r\x1b[K', '')).toBe(`  ping-webhook on n8n-defaults
          load   answered      p95  of objective  verdict
          40/s       40/s   250 ms  ██████······  held
          60/s       60/s   900 ms  ████████████  missed: latency
  ping-webhook on tuned
          load   answered      p95  of objective  verdict
          50/s       50/s    40 ms  █···········  held
`)
  })
})
