import { describe, expect, it } from '@jest/globals'
import {
  readCode,
  readExpression,
  type KnownValue,
  type NodeItem,
  type Sight,
} from '../../../../loadtests/src/workload/inferred/javascript.ts'
import { sampleOf } from '../../../../loadtests/src/workload/inferred/sample.ts'
import { Shape } from '../../../../loadtests/src/workload/inferred/shape.ts'

const itemFor = (): NodeItem => ({ json: new Shape(), binary: new Set() })

/** What code reads of the items that come in and of the node "Orders", and what it returns. */
function read(text: string, how = readCode, given: Partial<Sight> = {}) {
  const [input, orders] = [itemFor(), itemFor()]
  const returned = how(text, { input, node: (name) => (name === 'Orders' ? orders : null), ...given })
  return { input, sample: sampleOf(input.json), orders: sampleOf(orders.json), returned }
}

const ofExpression = (text: string) => read(text, readExpression)

/** The names of the fields of what code hands on. */
const fieldsOf = (returned: KnownValue): string[] => {
  const json =
    returned?.is === 'shape' ? (returned.shape.element ?? returned.shape) : (returned as { item: NodeItem }).item.json
  return [...json.fields.keys()]
}

const email = 'ada.lovelace@example.com'

describe('an expression reads of the items that come in', () => {
  it.each<[string, string, unknown]>([
    ['a field', '$json.body.email', { body: { email } }],
    ['a field whose name has a space', "$json['First name']", { 'First name': 'Ada' }],
    [
      'a field that may be missing',
      '$json.user?.address?.[0]?.city ?? "none"',
      { user: { address: [{ city: 'Berlin' }] } },
    ],
    ['each element of a list', '$json.body.items.map(i => i.id)', { body: { items: [{ id: '{{counter}}' }] } }],
    [
      'the elements that are left',
      '$json.rows.filter(r => r.email).first().city',
      { rows: [{ email, city: 'Berlin' }] },
    ],
    ['two elements at once', '$json.rows.sort((a, b) => a.price - b.price)', { rows: [{ price: 42.5 }] }],
    [
      'what a sum adds up',
      '$json.lines.reduce((sum, l) => sum + l.qty * l.price, 0)',
      { lines: [{ qty: 3, price: 42.5 }] },
    ],
    ['numbers that n8n adds up', '$json.votes.sum()', { votes: [3] }],
    ['the item', '$input.item.json.email', { email }],
    ['all items', '$input.all().map(one => one.json.email).join()', { email }],
    ['within a text', '`Dear ${$json.first_name}`', { first_name: 'Ada' }],
    ['either of two', '$json.email || $json.city', { email, city: 'Berlin' }],
    ['both ways of a choice', '$json.vip ? $json.email : $json.city', { vip: 'sample vip', email, city: 'Berlin' }],
    ['in a function that it calls at once', '(() => { const { email } = $json; return email })()', { email }],
    ['an object that it makes', '{ "to": $json.email }', { email }],
    ['the text that becomes a number', '$json.entry.toNumber()', { entry: '3' }],
    ['a date', 'DateTime.fromISO($json.slot).plus({ days: 1 })', { slot: '2026-01-31T09:30:00.000Z' }],
    ['a date that JavaScript makes', 'new Date($json.slot).getTime()', { slot: '2026-01-31T09:30:00.000Z' }],
    ['what is within a text', 'JSON.parse($json.payload).order.id', { payload: '{"order":{"id":"{{counter}}"}}' }],
    ['a letter of a text', '$json.name.trim()[0].toUpperCase()', { name: 'Ada Lovelace' }],
  ])('%s', (_, text, sample) => {
    expect(ofExpression(text).sample).toEqual(sample)
  })

  it.each(['$items()[0].json.email', '$item(0).json.email', '$data.email', 'items[0].json.email'])(
    'in an old way: %s',
    (text) => {
      expect(ofExpression(text).sample).toEqual({ email })
    },
  )

  it('the names of files', () => {
    expect([...ofExpression('$binary.photo.fileName').input.binary]).toEqual(['photo'])
  })

  it('variables, and says which', () => {
    const named: string[] = []
    read('$vars.shop + $env.REGION', readExpression, { variable: (kind, name) => named.push(`${kind}.${name}`) })
    expect(named).toEqual(['$vars.shop', '$env.REGION'])
  })
})

describe('an expression reads of another node', () => {
  it.each([
    "$('Orders').item.json.email",
    "$('Orders').first().json.email",
    "$('Orders').all()[0].json.email",
    '$node["Orders"].json["email"]',
    '$node.Orders.json.email',
    '$node["Orders"].data.email',
    '$items("Orders")[0].json.email',
    '$item("0").$node["Orders"].json["email"]',
  ])('%s', (text) => {
    expect(ofExpression(text).orders).toEqual({ email })
  })

  it('nothing where there is no such node', () => {
    expect(ofExpression("$('Nowhere').item.json.email").returned).toBeNull()
  })
})

describe('code reads', () => {
  it.each<[string, string, unknown]>([
    [
      'by destructuring, the rest included',
      'const { email, rows: [first, ...others], ...rest } = $json; first.city; others[0].sku; rest.first_name',
      { email, rows: [{ city: 'Berlin', sku: 'Notebook' }], first_name: 'Ada' },
    ],
    ['the item by destructuring', 'const { json: { email } } = $input.first()', { email }],
    ['in a loop over items', 'for (const item of $input.all()) item.json.email', { email }],
    ['in a loop with a variable from before', 'let item; for (item of items) { item.json.email }', { email }],
    ['in a loop that counts', 'for (let i = 0; i < items.length; i++) items[i].json.email', { email }],
    ['in a loop with the index', 'for (const [index, row] of $json.rows.entries()) row.email', { rows: [{ email }] }],
    ['in a function of its own', 'function of(o, name) { return o[name] } of($json, "email")', { email }],
    [
      'in a function with any number of names',
      'const pick = (...all) => all.map(k => $json[k]); pick("email")',
      { email },
    ],
    ['by each of the names that it lists', "for (const k of ['email', 'city']) $json[k]", { email, city: 'Berlin' }],
    [
      'by the names that a callback gets',
      "const gone = ['email', 'city'].filter(k => !$json[k])",
      { email, city: 'Berlin' },
    ],
    ['what a method of its own reads', 'const own = { get() { return $json.email } }; own.get()', { email }],
    [
      'each pair of an object',
      'Object.entries($json.prices).map(([k, v]) => v.toFixed(2))',
      { prices: { price: 42.5 } },
    ],
    ['each value of an object', 'Object.values($json.people).map(v => v.email)', { people: { people: { email } } }],
    ['a copy of a list', '[...$json.rows].map(row => row.email)', { rows: [{ email }] }],
    ['a list without what is in it twice', '[...new Set($json.rows.map(r => r.email))]', { rows: [{ email }] }],
    ['text in base64', "Buffer.from($json.file, 'base64').toString('utf8')", { file: 'sample file' }],
    [
      'what it tries to parse',
      'let o; try { o = JSON.parse($json.raw) } catch (e) { o = {} } o.email',
      { raw: `{"email":"${email}"}` },
    ],
    [
      'what it parses of the part that a pattern finds',
      'const found = $json.raw.match(/\\{.*\\}/s); JSON.parse(found[0]).email',
      { raw: `{"email":"${email}"}` },
    ],
    [
      'what remains after a stand-in for what is missing',
      'let who = $json.who; if (!who) who = {}; who.email',
      { who: { email } },
    ],
    [
      'what it adds to a number',
      'let sum = 0; for (const one of $json.rows) sum += one.votes',
      { rows: [{ votes: 3 }] },
    ],
    [
      'with await',
      'const got = await this.helpers.httpRequest({ url: $json.link })',
      { link: 'https://www.example.com/page' },
    ],
  ])('%s', (_, text, sample) => {
    expect(read(text).sample).toEqual(sample)
  })
})

describe('what code asks of a value', () => {
  it.each<[string, string, unknown]>([
    ['is the constant that it waits for', "if ($json.event === 'paid') { go() }", { event: 'paid' }],
    ['is the first of those that it knows', "if (['new', 'open'].includes($json.event)) go()", { event: 'new' }],
    ['is a case', "switch ($json.event) { case 'paid': go() }", { event: 'paid' }],
    ['is how a text begins', "if ($json.event.startsWith('order.')) go()", { event: 'order.event' }],
    ['is above a number', 'if ($json.votes > 10) go()', { votes: 11 }],
    ['has the kind of what stands in for it', 'const { page = 1, tags = [] } = $json', { page: 3, tags: ['general'] }],
    ['is to pass a guard that throws', "if ($json.event !== 'paid') throw new Error('no')", { event: 'paid' }],
    ['is to pass a guard that returns nothing', "if ($json.event !== 'paid') { return [] }", { event: 'paid' }],
    ['is not what makes it stop', "if ($json.event === 'ping') return []", { event: 'sample event' }],
    ['is not what a loop leaves out', 'for (const { json } of items) { if (json.votes < 5) continue }', { votes: 6 }],
    [
      'is what it notes where it is missing',
      "if (!/^[A-Z]{2}$/.test($json.country)) errors.push('country')",
      { country: 'DE' },
    ],
    [
      'is what leads to work, though the loop goes on after it',
      "for (const { json } of items) { if (json.event === 'paid') { out.push(json); continue } }",
      { event: 'paid' },
    ],
    [
      'is no pattern that it refuses',
      "if (/^[A-Z]{2}$/.test($json.country)) throw new Error('no')",
      { country: 'Germany' },
    ],
    ['is no list of words that it refuses', "if (['spam'].includes($json.event)) return", { event: 'sample event' }],
  ])('%s', (_, text, sample) => {
    expect(read(text).sample).toEqual(sample)
  })

  it('is nothing where it is not to be asked', () => {
    expect(read("$json.event === 'paid' && /^x/.test($json.zone)", readExpression, { quiet: true }).sample).toEqual({
      event: 'sample event',
      zone: 'sample zone',
    })
  })

  it('is the other way round where it has to come out false', () => {
    expect(read("$json.event !== 'paid'", readExpression, { flips: true }).sample).toEqual({ event: 'paid' })
  })

  it.each(['10n', '/x/', 'null', "''"])('is no value that JSON does not have, or that is nothing: %s', (value) => {
    expect(read(`if ($json.event === ${value}) go()`).sample).toEqual({ event: 'sample event' })
  })
})

describe('code hands on', () => {
  it.each<[string, string]>([
    ['items that it makes', 'return [{ json: { mail: $json.email } }]'],
    ['objects, of which n8n makes items', 'return { mail: $json.email }'],
    ['an item for each', 'return $input.all().map(({ json }) => ({ json: { mail: json.email } }))'],
    [
      'a list that it fills with items',
      'const out = []; for (const one of items) out.push({ json: { mail: 1 } }); return out',
    ],
    ['a list that a callback fills', 'const out = []; items.forEach((one) => { out.push({ mail: 1 }) }); return out'],
    ['what it returns at last, not what ends it early', 'if (!x) return []; return [{ json: { mail: 1 } }]'],
    ['more than the nothing at its end', 'if (x) { return [{ json: { mail: 1 } }] } return []'],
    [
      'what it tried, not what a failure makes of it',
      'try { return [{ json: { mail: 1 } }] } catch (error) { return [{ json: { error } }] }',
    ],
    [
      'what a function returns that it waits for',
      'const main = async () => [{ json: { mail: 1 } }]; return await main()',
    ],
  ])('%s', (_, text) => {
    expect(fieldsOf(read(text).returned)).toEqual(['mail'])
  })

  it.each<[string, string]>([
    ['spread', 'return [{ json: { ...$json, done: true } }]'],
    ['assigned', 'return [{ json: Object.assign({}, $json, { done: true }) }]'],
  ])('what comes in beside what it adds: %s', (_, text) => {
    const { returned, input } = read(text)
    const { json } = (returned as { item: NodeItem }).item
    json.field('email')
    json.field('done')
    expect(sampleOf(input.json)).toEqual({ email })
  })

  it('a field that it gives an item, which then need not be sent', () => {
    const { sample, returned } = read('for (const one of items) { one.json.total = one.json.price * 2 } return items')
    expect(fieldsOf(returned)).toEqual(['price', 'total'])
    expect(sample).toEqual({ price: 42.5 })
  })

  it('items with other contents, and those that came in are as they were', () => {
    const { sample, returned } = read('for (const one of items) { one.json = { mail: one.json.email } } return items')
    expect(fieldsOf(returned)).toEqual(['mail'])
    expect(sample).toEqual({ email })
  })
})

describe('code that is no code reads nothing', () => {
  it.each([
    ['a syntax error', 'return $json.email +'],
    ['types', 'const mail: string = $json.email'],
    ['a module', "import fs from 'node:fs'; $json.email"],
    ['another language', 'for item in _input.all():\n  item.json.email = 1'],
    ['nothing', ''],
  ])('%s', (_, text) => {
    expect(read(text)).toMatchObject({ returned: null, sample: 'sample text' })
  })
})

it('no code runs', () => {
  read("globalThis.ran = true; process.exit(1); (function () { return this })().ran = true; eval('ran = true')")
  expect(globalThis).not.toHaveProperty('ran')
})

describe('reading comes to an end', () => {
  const many = (count: number, text: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => text(i)).join('')

  it.each<[string, string]>([
    ['of a loop without end', 'while (true) { $json.email }'],
    ['of a function that calls itself', 'const go = (one) => [go(one.a), go(one.b), go(one.c)]; go($json.email)'],
    [
      'of functions that call each other',
      'function a(x) { b(x.l); b(x.r) } function b(x) { a(x.l); a(x.r) } a($json.email)',
    ],
    ['of a function that gets itself', 'const go = (f) => f(f); go(go); $json.email'],
    [
      'of functions that each call the one before twice',
      `const f0 = (x) => x.email; ${many(40, (i) => `const f${i + 1} = (x) => f${i}(x) + f${i}(x);`)} f40($json)`,
    ],
    [
      'of objects that each spread the one before twice',
      `const o0 = $json; ${many(40, (i) => `const o${i + 1} = { ...o${i}, ...o${i} };`)} o40.email`,
    ],
    ['of much data', `const all = [${many(20_000, () => "{ a: 1, b: ['x'] },")}]; $json.email`],
    ['of a text of a thousand parts', `$json.email + ${many(1000, (i) => `'${i}' + `)} ''`],
    ['of a hundred cases', `if (0) 0; ${many(100, (i) => `else if ($json.no === ${i}) 0; `)} else $json.email`],
    ['of lists in lists', `$json.email; ${'['.repeat(1000)}${']'.repeat(1000)}`],
    ['of a block in a thousand', `$json.email; ${'{'.repeat(1000)}${'}'.repeat(1000)}`],
    ['of a path of a thousand names', `$json.email; $json${'.a'.repeat(1000)}`],
  ])('%s', (_, text) => {
    expect(JSON.stringify(read(text).sample)).toContain('email')
  })

  it('of code that nests deeper than can be read', () => {
    expect(read(`if (0) 0; ${many(20_000, () => 'else if (0) 0; ')}`).returned).toBeNull()
  })
})
