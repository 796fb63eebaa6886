/** Texts that mean more than they say: in a path, a terminal, a shell, a template, a spreadsheet, an object. */
export const texts = (victim: string): string[] => [
  `${'../'.repeat(20)}${victim.slice(1)}/x`,
  '../../x',
  `${victim}/x`,
  '/',
  '.',
  '..',
  '',
  'a\0b',
  'a\nb: c\n- d',
  'a\r\nX: y',
  '\x1b]0;x\x07\x1b[2J',
  '\u202Egpj.x',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  '=HYPERLINK("http://x")',
  '@SUM(1)',
  '-rf',
  `"'\\\``,
  '{{ $json.x }}',
  '={{ $json["x"] }}',
  '={{',
  '{{ .Values.x }}',
  `$(touch ${victim}/y)`,
  `\`touch ${victim}/y\``,
  '${HOME}',
  '%2e%2e%2f%00',
  'file:///etc/passwd',
  'http://[',
  '<script>alert(1)</script>',
  '*'.repeat(5000),
  '(a+)+$',
  'a'.repeat(2 ** 20),
  '../'.repeat(350_000),
  ' '.repeat(2 ** 20),
  '{'.repeat(2 ** 20),
]

/** What stands where a text should. */
export const others: unknown[] = [null, 0, -1, 1e308, true, [], {}, [[]], { __proto__x: 1 }]

/** Of a seed, always the same. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Path = (string | number)[]

/** The place of each text in a value, and of each key. */
export function* placesIn(value: unknown, path: Path = []): Generator<{ path: Path; key: boolean }> {
  if (typeof value === 'string') yield { path, key: false }
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) {
    const inner = [...path, Array.isArray(value) ? Number(name) : name]
    if (!Array.isArray(value)) yield { path: inner, key: true }
    yield* placesIn(one, inner)
  }
}

/** The value with something else at that place. */
export function put(value: unknown, [first, ...rest]: Path, key: boolean, other: unknown): unknown {
  if (first === undefined) return other
  if (Array.isArray(value))
    return value.map((one, at) => (at === first ? put(one, rest, key, other) : (one as unknown)))
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => {
      if (name !== first) return [name, one as unknown]
      return key && rest.length === 0 ? [String(other), one as unknown] : [name, put(one, rest, key, other)]
    }),
  )
}

export interface Hostile {
  /** Where, and what. */
  what: string
  value: unknown
}

/** So many of the value, each place in turn, with what chance takes. */
export function hostile(value: unknown, count: number, victim: string, random: () => number): Hostile[] {
  const places = [...placesIn(value)]
  const all = texts(victim)
  const from = Math.floor(random() * places.length)
  return Array.from({ length: count }, (_, at) => {
    const { path, key } = places[(from + at) % places.length]!
    const isText = key || random() < 0.85
    const pool = isText ? all : others
    const other = pool[Math.floor(random() * pool.length)]
    return {
      what: `${key ? 'the key ' : ''}${path.join('.')} is ${JSON.stringify(other)!.slice(0, 60)}`,
      value: put(value, path, key, other),
    }
  })
}
