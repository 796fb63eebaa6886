/** What costs more to read than to write: a few bytes, or a few hundred kilobytes. Of a seed, always the same. */

type Random = () => number
export interface Costly {
  what: string
  value: unknown
}

const oneOf = <Value>(all: readonly Value[], random: Random): Value => all[Math.floor(random() * all.length)]!
const upTo = (most: number, random: Random) => 1 + Math.floor(random() * most)

/** What a pattern may begin with over and over, each time to read on to the end. */
const units = [
  ...['a', 'a ', ' ', '\t', '\n', 'a+', 'a.', '.a', 'a@', '@', 'a-', '-', '_', '/', '../', ':', 'a:', '::', ',', ';'],
  ...['"', "'", '\\', '\\"', '`', '(', '((', '[', '{', '{{', '}}', '{{ ', ' }}', '={{', '${', '${A:-', '$(', '$', '%'],
  ...['=', '&', '?', '#', '!', '*', '|', '<', '<a', '<!--', '&lt;', '0', '9', '1.', '1e', '0x', '2026-', '\u00e9'],
  ...['http://', 'http://a', '://', 'a://', 'https://a.', 'data:', 'Bearer ', 'n8n', '$json', '$json.', '.first().'],
  ...['HMAC', 'SHA-', 'createHmac("a",', '.update(', 'body ', 'const k=', '"a":{{', '{"a":', '- a', '-----BEGIN '],
  ...['\u202e', '\ud83d\ude00', '\0', 'A'.repeat(63), 'secretKeyRef', 'password=', '--', '#{', '%2e', '\r\n', '\x1b['],
] as const

/** A long token: something, over and over, and then something else. */
export function longText(random: Random): Costly {
  const unit = oneOf(units, random)
  const other = random() < 0.3 ? oneOf(units, random) : ''
  const length = oneOf([20_000, 100_000, 400_000], random)
  const [before, after] = [
    oneOf(['', '=', '={{ ', '"', 'x', 'http://', '{{'], random),
    oneOf(['', 'x', '!', '}}', '"'], random),
  ]
  const times = Math.ceil(length / (unit.length + other.length))
  return {
    what: `${JSON.stringify(before + unit + other)} ${times} times, then ${JSON.stringify(after)}`,
    value: before + (unit + other).repeat(times) + after,
  }
}

const numbers = [1e308, -1e308, 5e-324, 2 ** 53, -1, 0.1, 1e21, -0, 123456789012345]

function nested(random: Random): Costly {
  const levels = oneOf([50, 200, 290, 2000], random)
  const isList = random() < 0.5
  let value: unknown = 1
  for (let at = 0; at < levels; at++) value = isList ? [value] : { a: value }
  return { what: `${levels} ${isList ? 'lists' : 'maps'} in each other`, value }
}

function wide(random: Random): Costly {
  const count = oneOf([1000, 10_000, 50_000], random)
  const kind = oneOf(['texts', 'keys', 'maps', 'numbers'] as const, random)
  const all = Array.from({ length: count }, (_, at) => at)
  const value = {
    texts: () => all.map((at) => `a${at}`),
    keys: () => Object.fromEntries(all.map((at) => [`a${at}`, `b${at}`])),
    maps: () => all.map((at) => ({ name: `a${at}`, value: 'b' })),
    numbers: () => all,
  }[kind]()
  return { what: `${count} ${kind}`, value }
}

/** Of about as many values as a few lines say, each of which has the one before it several times. */
function doublings(random: Random): string {
  const times = 20 + upTo(40, random)
  const [open, close] = oneOf(
    [
      ['[', ']'],
      ['{ a: ', ' }'],
      ['{ ...', ' }'],
      ['[...', ']'],
    ] as const,
    random,
  )
  const both = (name: string) =>
    open === '{ a: ' ? `{ a: ${name}, b: ${name} }` : `${open}${name}, ${open.slice(1)}${name}${close}`
  const lines = Array.from({ length: times }, (_, at) => `const v${at + 1} = ${both(`v${at}`)}`)
  const use = oneOf(
    ['$json.x.startsWith(V)', '$json.x === V', '$json.x.includes(V)', 'V.includes($json.x)', 'return [{ json: V }]'],
    random,
  )
  return [
    `const v0 = ${oneOf(['["a"]', '$json.a', '"a"', '[$json.a]', '{ a: $json.b }'], random)}`,
    ...lines,
    use.replaceAll('V', `v${times}`),
  ].join('\n')
}

function cycles(random: Random): string {
  const count = upTo(12, random)
  const names = Array.from({ length: count }, (_, at) => `$json.f${at}`)
  const lines = Array.from({ length: upTo(60, random) }, () => {
    const [to, from] = [oneOf(names, random), oneOf(names, random)]
    return oneOf(
      [
        `T.a${upTo(9, random)} = S`,
        'Object.assign(T, S)',
        'T.list = [S, T]',
        'T.x = JSON.parse(S)',
        'for (const e of T) e.y = S',
        'T.z = { ...S, t: T }',
      ],
      random,
    )
      .replaceAll('T', to)
      .replaceAll('S', from)
  })
  return [
    ...lines,
    `return [{ json: { ...${names[0]}, ${names.map((name, at) => `g${at}: ${name}`).join(', ')} } }]`,
  ].join('\n')
}

const slow = [
  '^(a+)+$',
  '^(\\w+\\s?)*$',
  '(a|a)*b',
  '(.*)*x',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(a?){N}a{N}',
  '((a?){30}){N}',
  '(?:(?:a{1,N}){1,N}){1,N}',
  '(?=(a+))N',
  '[a-z]*[a-z]*[a-z]*[a-z]*N',
]
function patterns(random: Random): string {
  const pattern = oneOf(slow, random).replaceAll('N', String(oneOf([20, 200, 900], random)))
  const whole = random() < 0.3 ? `(${pattern})|`.repeat(upTo(400, random)) + 'z' : pattern
  return oneOf(
    [
      'if (!$json.body.email.match(/P/)) throw new Error("no")',
      'return /P/.test($json.body.name)',
      'return $json.body.text.replace(/P/g, "")',
    ],
    random,
  ).replace('P', () => whole)
}

function fanning(random: Random): string {
  const count = 20 + upTo(40, random)
  const lines = Array.from(
    { length: count },
    (_, at) => `const f${at + 1} = (x) => { f${at}(x.a); f${at}(x.b); return f${at}(x) }`,
  )
  return ['const f0 = (x) => x.c', ...lines, `return f${count}($json)`].join('\n')
}

function variables(random: Random): string {
  const count = oneOf([2000, 20_000], random)
  const lines = Array.from({ length: count }, (_, at) => `let v${at} = $json.a${at}`)
  const calls = Array.from({ length: Math.ceil(count / 4) }, (_, at) => `g(v${at})`)
  return [...lines, 'function g(x) { try { x.y } catch { x.z } return x }', ...calls].join('\n')
}

const longCode = (random: Random): string => {
  const [open, close] = oneOf(
    [
      ['(', ')'],
      ['[', ']'],
      ['!', ''],
      ['a => ', ''],
      ['$json.a + ', ''],
      ['$json?.a ? 1 : ', ''],
      ['f(', ')'],
      ['`${', '}`'],
    ] as const,
    random,
  )
  const levels = oneOf([300, 3000, 30_000], random)
  return `return ${open.repeat(levels)}1${close.repeat(levels)}`
}

/** JavaScript, as a Code node or an expression has it. */
export function costlyCode(random: Random): Costly {
  const kinds = { doublings, cycles, patterns, fanning, variables, longCode }
  const what = oneOf(Object.keys(kinds) as (keyof typeof kinds)[], random)
  return { what: `code with ${what}`, value: kinds[what](random) }
}

/** In the place of any value. */
export function costlyValue(random: Random): Costly {
  const kind = random()
  if (kind < 0.45) return longText(random)
  if (kind < 0.6) return nested(random)
  if (kind < 0.75) return wide(random)
  if (kind < 0.85) return { what: 'a number', value: oneOf(numbers, random) }
  const { what, value } = costlyCode(random)
  return { what: `an expression: ${what}`, value: `={{ ${value as string} }}` }
}

/** A whole YAML file, in the place of any other. */
export function costlyYaml(random: Random): Costly {
  const count = oneOf([40, 3000, 100_000], random)
  const rows = (row: (at: number) => string) => Array.from({ length: count }, (_, at) => row(at)).join('\n')
  const kinds: Record<string, () => string> = {
    'a list within itself': () => 'a: &a [b, *a]\n',
    'a map within itself': () => 'main: &a\n  resources: *a\n',
    'a map merged into itself': () => 'main: &a\n  replicas: 1\n  <<: *a\n',
    'the whole within itself': () => '&a\nmain:\n  b: *a\n',
    doublings: () => `k0: &k0 [a, b]\n${rows((at) => `k${at + 1}: &k${at + 1} [*k${at}, *k${at}]`)}\n`,
    'merged doublings': () =>
      `k0: &k0 {a: b}\n${rows((at) => `k${at + 1}: &k${at + 1}\n  <<: [*k${at}, *k${at}]\n  x${at}: 1`)}\n`,
    aliases: () => `a: &a ${'b'.repeat(upTo(100_000, random))}\nc:\n${rows(() => '  - *a')}\n`,
    anchors: () => rows((at) => `k${at}: &a${at} v`),
    keys: () => rows((at) => `k${at}: v`),
    'keys that are there twice': () => rows((at) => `k${at % 50}: v`),
    'keys that are lists': () => '? '.repeat(count),
    documents: () => rows(() => '---'),
    brackets: () =>
      oneOf(['[', '{', '[[', '{a: ', '- ', '? ', '!a ', '&a ', '"', "'", '|\n', '# '], random).repeat(count),
    'a bomb of tags': () => rows((at) => `k${at}: !!binary ${'A'.repeat(100)}`),
    templates: () => rows((at) => `k${at}: {{ .Values.a${at} }}`),
  }
  const what = oneOf(Object.keys(kinds), random)
  return { what: `YAML with ${what}, ${count}`, value: kinds[what]!() }
}

/** A whole JSON file. */
export function costlyJson(random: Random): Costly {
  const count = oneOf([300, 10_000, 1_000_000], random)
  const kinds: Record<string, () => string> = {
    'lists without end': () => '['.repeat(count),
    'lists in each other': () => '['.repeat(count) + ']'.repeat(count),
    'maps in each other': () => '{"a":'.repeat(count) + '1' + '}'.repeat(count),
    'empty maps': () => `[${'{},'.repeat(count)}{}]`,
    'a long number': () => '9'.repeat(count),
    'a long text': () => `"${'a'.repeat(count)}"`,
    'a text of escapes': () => `"${'\\u0041'.repeat(count)}"`,
    'a key that is there twice': () => `{${'"a":1,'.repeat(count)}"a":1}`,
    lines: () => '{"type":"step"}\n'.repeat(count),
    spaces: () => ' '.repeat(count),
  }
  const what = oneOf(Object.keys(kinds), random)
  return { what: `JSON with ${what}, ${count}`, value: kinds[what]!() }
}
