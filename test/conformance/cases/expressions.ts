import type { Area, Case } from '../case.ts'
import { chain, code, node, set, webhook } from '../workflow.ts'

/** Expressions by their subject; each is one field of one node, so that all of a case cost one execution. */
const texts: Record<string, Record<string, string>> = {
  dates: {
    parsed: "={{ DateTime.fromISO('2024-02-29T12:34:56.789Z').toUTC().plus({ years: 1 }).toISO() }}",
    zone:
      "={{ DateTime.fromISO('2024-07-01T00:00:00Z').setZone('Europe/Berlin').toFormat('cccc, d LLLL yyyy "
      + "HH:mm ZZZZ') }}",
    difference: "={{ DateTime.fromISO('2024-03-01').diff(DateTime.fromISO('2024-02-01'), 'days').days }}",
    text: "={{ '2024-02-29'.toDateTime().endOf('month').toISODate() }}",
    locale: "={{ DateTime.fromISO('2024-02-29').setLocale('fr').toLocaleString(DateTime.DATE_FULL) }}",
    duration: "={{ Duration.fromObject({ hours: 25, minutes: 3 }).toFormat('d hh:mm') }}",
    interval: "={{ Interval.after(DateTime.fromISO('2024-01-01'), { days: 3 }).length('hours') }}",
    now: '={{ $now.year > 2000 && $today.hour === 0 }}',
  },
  texts: {
    latin: "={{ 'Crème Brûlée, Straße, Жанна, 你好'.replaceSpecialChars() }}",
    cases:
      "={{ 'hello big world'.toTitleCase() + '|' + 'hello_big'.toSentenceCase() + '|' + 'Hello Big'.toSnakeCase() }}",
    found: "={{ 'write to ada@example.com now'.extractEmail() + ' ' + 'see https://example.com/a?b=c'.extractUrl() }}",
    hash: "={{ 'text'.hash('sha256') }}",
    coded: "={{ 'a b&c'.urlEncode() + ' ' + 'text'.base64Encode() }}",
    tested: "={{ [''.isEmpty(), 'a@b.de'.isEmail(), '12'.isNumeric(), '{}'.parseJson()] }}",
    markup: "={{ '<b>bold</b> text'.removeTags() }}",
    trimmed: "={{ '  x '.trim() + 'long text here'.length }}",
  },
  lists: {
    many: '={{ [3, 1, 2].sum() + [3, 1, 2].max() + [1, 2].average() }}',
    unique: '={{ [1, 1, { a: 1 }, { a: 1 }].unique() }}',
    chunked: '={{ [1, 2, 3, 4, 5].chunk(2) }}',
    joined: "={{ ['a', 'b'].append('c').last() }}",
    plucked: "={{ [{ a: 1, b: 2 }, { a: 3 }].pluck('a') }}",
    mapped: '={{ Object.entries({ a: 1 }).map(([key, value]) => key + value).join() }}',
    object: "={{ { a: 1, b: null, c: '' }.compact() }}",
    merged: '={{ [{ a: 1 }].merge([{ b: 2 }]).keys() }}',
    jmespath:
      "={{ $jmespath({ people: [{ name: 'Ada', age: 36 }, { name: 'Bob', age: 20 }] }, 'people[?age > `30`].name') }}",
  },
  numbers: {
    rounded: '={{ (3.14159).round(2) + (7.5).floor() + (-7.5).ceil() }}',
    written: "={{ (1234567.891).format('de-DE') }}",
    even: '={{ [(4).isEven(), (3).isOdd(), (0).toBoolean()] }}',
    large: '={{ 2 ** 53 + 1 }}',
    division: '={{ 1 / 0 + " " + 0 / 0 }}',
    conditional: '={{ $if(1 > 2, "more", $ifEmpty("", "none")) }}',
  },
  data: {
    json: '={{ $json.number + $json.list[1] }}',
    node: "={{ $('Webhook').item.json.query.a + $('Items').all().length }}",
    older: "={{ $node['Items'].json.number + ' ' + $items('Items')[1].json.number }}",
    input: '={{ $input.first().json.number + $input.last().json.number + $input.item.json.number }}',
    where: '={{ $itemIndex + " " + $runIndex + " " + $prevNode.name + " " + $nodeVersion }}',
    workflow: '={{ [$workflow.id, $workflow.name, $workflow.active, $execution.mode] }}',
    environment: '={{ $env.TZ + typeof $env.NOT_THERE }}',
    parameter: "={{ $('Items').params.jsCode.length > 0 }}",
    missing: "={{ $json.not?.there ?? 'nothing' }}",
    template: '=number {{ $json.number }} of {{ $("Items").all().length }}',
    fresh: '={{ $("Webhook").isExecuted && !$("Never").isExecuted }}',
  },
  shapes: {
    function: '={{ (() => { let sum = 0; for (const one of [1, 2, 3]) sum += one; return sum })() }}',
    destructured: '={{ (({ list: [first, ...rest] }) => rest.concat(first))($json) }}',
    regular: "={{ 'a1b22'.match(/\\d+/g) }}",
    set: '={{ [...new Set([1, 1, 2])] }}',
    map: '={{ [...new Map([[1, 2]]).entries()] }}',
    spread: '={{ { ...$json, more: true } }}',
    date: '={{ new Date(0).toISOString() + JSON.stringify({ at: new Date(0) }) }}',
    nothing: '={{ undefined }}',
    isNull: '={{ null }}',
    symbols: '={{ typeof process + typeof require + typeof globalThis + typeof Buffer }}',
    comment: '={{ 1 /* one */ + 1 // two\n }}',
  },
}

const items = code(`return [1, 2].map((number) => ({ json: { number, list: [10, 20, 30] } }))`, 'Items')

const evaluated: Case[] = Object.entries(texts).map(([about, fields]) => ({
  name: about,
  workflows: [
    chain(`ex-${about}`, [
      webhook(`ex-${about}`, { responseData: 'allEntries' }),
      items,
      set(fields),
      node('Never', 'filter', 2.2, {
        conditions: {
          options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
          conditions: [
            { id: 'a', leftValue: '={{ 1 }}', rightValue: 1, operator: { type: 'number', operation: 'equals' } },
          ],
          combinator: 'and',
        },
        options: {},
      }),
    ]),
  ],
  act: async (n8n) => void (await n8n.ask(`/webhook/ex-${about}?a=1`)),
}))

/** Each in a workflow of its own, because it ends it. */
const broken = {
  'unknown-node': "={{ $('Nobody').first().json.a }}",
  'not-run': "={{ $('Late').first().json.a }}",
  syntax: '={{ 1 + }}',
  thrown: "={{ (() => { throw new Error('from within') })() }}",
  'forbidden-constructor': "={{ (() => {}).constructor('return 1')() }}",
  'no-such-function': "={{ 'a'.doesNotExist() }}",
  'paired-item': "={{ $('Items').itemMatching(7).json.number }}",
}

const failing: Case[] = Object.entries(broken).map(([about, expression]) => ({
  name: `an error: ${about}`,
  workflows: [
    chain(`ex-${about}`, [
      webhook(`ex-${about}`),
      items,
      { ...set({ field: expression }), onError: 'continueRegularOutput' },
      set({ error: '={{ $json.error }}', field: '={{ $json.field }}' }, 'Late'),
    ]),
  ],
  act: async (n8n) => void (await n8n.ask(`/webhook/ex-${about}`)),
}))

export const expressions: Area = { name: 'expressions', cases: [...evaluated, ...failing] }
