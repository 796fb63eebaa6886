import { Command, CommanderError } from 'commander'

import {
  parsePrice,
  parseSlo,
  positiveInteger,
  positiveNumber,
  withCommonOptions,
  type CommonOptions,
} from '../../../loadtests/src/cli/options.ts'

function parse(...words: string[]): CommonOptions {
  const command = withCommonOptions(new Command('check'), 'check')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  command.parse(words, { from: 'user' })
  return command.opts()
}

/** The sentence that the user gets. */
function refused(...words: string[]): string {
  try {
    parse(...words)
  } catch (error) {
    if (error instanceof CommanderError) return error.message
    throw error
  }
  throw new Error(`Expected ${words.join(' ')} to be refused, got options`)
}

test('without options everything is the profile’s own', () => {
  expect(parse()).toEqual({ profile: 'check', target: 'local', metricsUrl: [], values: [], set: {}, workflow: [] })
})

test('what n8n runs as is processes or containers', () => {
  expect(parse('--engine', 'container').engine).toBe('container')
  expect(refused('--engine', 'kvm')).toContain('process, container')
})

describe('--set', () => {
  const set = (...given: string[]) => parse(...given.flatMap((one) => ['--set', one])).set

  test('a tag that looks like a number stays as it was typed', () => {
    expect(set('a=7.0', 'b=7', 'c=0.5')).toEqual({ a: '7.0', b: 7, c: 0.5 })
  })

  test('sets one Helm value, of the type that YAML gives it', () => {
    expect(set('main.replicas=2')).toEqual({ main: { replicas: 2 } })
    expect(set('persistence.enabled=false')).toEqual({ persistence: { enabled: false } })
    expect(set('image.tag=2.41.1')).toEqual({ image: { tag: '2.41.1' } })
    expect(set('main.resources.limits.cpu="2"')).toEqual({ main: { resources: { limits: { cpu: '2' } } } })
    expect(set('persistence.accessModes=[ReadWriteMany]')).toEqual({ persistence: { accessModes: ['ReadWriteMany'] } })
    expect(set('timezone=')).toEqual({ timezone: null })
  })

  test('keeps every = behind the first', () => {
    expect(set('main.extraEnv.A=b=c')).toEqual({ main: { extraEnv: { A: 'b=c' } } })
  })

  test('may be given again, and adds to what was given', () => {
    expect(set('main.replicas=0', 'main.heap.percent=80', 'main.replicas=1')).toEqual({
      main: { replicas: 1, heap: { percent: 80 } },
    })
  })

  test.each(['main.replicas', '=2', '', 'main..replicas=2', '.main=2', 'main.=2'])('is refused as %j', (given) => {
    expect(refused('--set', given)).toContain(`Expected key=value, got "${given}".`)
  })

  test('is refused with a value that is no YAML', () => {
    expect(refused('--set', 'a=[1')).toContain('Expected its value to be YAML, got "[1".')
  })
})

describe('--slo', () => {
  test('sets any part of the objective', () => {
    expect(parseSlo('p95=300ms,errors=0.5%,backlog=10%')).toEqual({ p95: 300, errors: 0.005, backlog: 0.1 })
    expect(parseSlo('p95=1s')).toEqual({ p95: 1000 })
    expect(parseSlo('p99=1s,p99.9=2s')).toEqual({ p99: 1000, 'p99.9': 2000 })
  })

  test.each(['p95=fast', 'p95=300', 'p95=0ms', 'p90=1s', 'errors=200%', 'errors', ''])(
    'is refused as %j, with what it may be',
    (given) => {
      expect(refused('--slo', given)).toContain(
        `Expected p95=500ms, p99=1s, p99.9=2s, errors=0.1% or backlog=5%, got "${given}".`,
      )
    },
  )
})

describe('--price', () => {
  test('is of a CPU, a GiB, or both', () => {
    expect(parsePrice('cpu=23.5,memory=3')).toEqual({ cpu: 23.5, memory: 3 })
    expect(parsePrice('memory=0')).toEqual({ memory: 0 })
  })

  test.each(['23', 'cpu=', 'cpu=-1', 'disk=1', 'cpu=much', ''])('is refused as %j, with what it may be', (given) => {
    expect(() => parsePrice(given)).toThrow('Expected cpu=23 or memory=3, got ')
  })
})

test('--resume goes on in its own folder, so that --out has no place beside it', () => {
  expect(parse('--resume', 'results/a').resume).toBe('results/a')
  expect(refused('--resume', 'a', '--out', 'b')).toContain("cannot be used with option '--out")
})

test('--workflow and --values may be given again, in their order', () => {
  expect(parse('--workflow', 'a', '--workflow', 'b').workflow).toEqual(['a', 'b'])
  expect(parse('--values', 'a.yaml', '--values', 'b.yaml').values).toEqual(['a.yaml', 'b.yaml'])
})

test('--quick and --json are said or not', () => {
  expect(parse('--quick', '--json')).toMatchObject({ quick: true, json: true })
})

test('--target is one that there is, or a URL', () => {
  expect(parse('--target', 'kubernetes').target).toBe('kubernetes')
  expect(parse('--target', 'https://n8n.example.com/n8n').target).toEqual(new URL('https://n8n.example.com/n8n'))
  expect(refused('--target', 'mars')).toContain('Expected local, kubernetes or a URL')
  expect(refused('--target', 'ftp://n8n.example.com')).toContain('Expected local, kubernetes or a URL')
})

test('--metrics-url may be given again', () => {
  expect(parse('--metrics-url', 'http://a/metrics', '--metrics-url', 'http://b/metrics').metricsUrl).toEqual([
    new URL('http://a/metrics'),
    new URL('http://b/metrics'),
  ])
  expect(refused('--metrics-url', 'metrics')).toContain('Expected a URL like https://n8n.example.com/metrics')
})

test.each(['--target', '--metrics-url'])('a name and a password are refused in %s', (option) => {
  expect(refused(option, 'https://me:secret@n8n.example.com')).toMatch(
    /without a name and a password[^s]*, got one with them\.$/,
  )
})

test.each(['0', '-1', '1.5', 'often', ''])('--repeat is refused as %j', (given) => {
  expect(refused('--repeat', given)).toContain(`Expected a whole number from 1, got "${given}".`)
})

test('numbers are read', () => {
  expect([positiveInteger('3'), positiveNumber('0.5')]).toEqual([3, 0.5])
})

test.each(['0', '-1', 'fast', ''])('a rate is refused as %j', (given) => {
  expect(() => positiveNumber(given)).toThrow(`Expected a number above 0, got "${given}".`)
})

test('--remote-write is the URL of a Prometheus, without secrets', () => {
  expect(parse('--remote-write', 'http://127.0.0.1:9090/api/v1/write').remoteWrite).toEqual(
    new URL('http://127.0.0.1:9090/api/v1/write'),
  )
  expect(refused('--remote-write', 'prometheus')).toContain(
    'Expected a URL like http://127.0.0.1:9090/api/v1/write, got "prometheus".',
  )
  expect(refused('--remote-write', 'http://me:secret@127.0.0.1/')).toContain(
    'Expected a URL without a name and a password',
  )
})

test('a history and editors are whole numbers, with 0 none, and editors are no load of their own', () => {
  expect(parse('--history', '1000000', '--editors', '0')).toMatchObject({ history: 1_000_000, editors: 0 })
  expect(refused('--history', '1e6')).toContain('Expected a whole number such as 20, or 0 for none, got "1e6".')
  expect(refused('--editors', '201')).toContain('Expected at most 200 editors, got 201.')
})
