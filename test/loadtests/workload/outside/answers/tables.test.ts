import { describe, expect, it, test } from '@jest/globals'
import type { ServiceAnswer } from '../../../../../loadtests/src/workload/outside/answers/asking.ts'
import type { Hint } from '../../../../../loadtests/src/model/outside.ts'
import {
  airtableRecords,
  googleBatch,
  pineconeIndexes,
  postgrestRows,
  sheetsOf,
  sheetValues,
  vectorMatches,
  vectorPoints,
} from '../../../../../loadtests/src/workload/outside/answers/tables.ts'
import { askingOf } from '../../../../support/outside/asking.ts'

/** What a node of a service reads and names. */
const node = (service: string, { sample = null, ...more }: Partial<Hint>): Hint => ({
  ...{ node: service, service, sample, must: null },
  ...more,
})
const bodyOf = ({ body }: ServiceAnswer) => body as Record<string, any>

describe('a sheet', () => {
  const values = (range: string, hints: Hint[] = []): unknown[][] =>
    bodyOf(sheetValues(askingOf(`GET /v4/spreadsheets/doc1/values/${range}`), hints)).values

  it('has two rows below the names of its columns', () => {
    const [names, ...rows] = values('Sheet1')
    expect(names).toEqual(['id', 'name', 'email', 'status', 'date', 'amount'])
    expect(rows).toHaveLength(2)
  })

  it('has the columns that a node writes, and their values fit their names', () => {
    const hints = [node('Google Sheets', { sample: { Status: 'open' }, columns: ['Status', 'City', 'Email'] })]
    expect(values('Sheet1', hints).slice(0, 2)).toEqual([
      ['Status', 'City', 'Email'],
      ['open', 'Berlin', 'ada.lovelace@example.com'],
    ])
  })

  it('has the row that a node looks for', () => {
    const hints = [node('Google Sheets', { sought: { Order: 'A-17' } })]
    expect(values('Sheet1', hints)[1]).toContain('A-17')
  })

  it('numbers what differs from row to row', () => {
    const hints = [node('Google Sheets', { sample: { orderId: '{{counter}}' } })]
    expect(values('Sheet1', hints)).toEqual([['orderId'], [1], [2]])
  })

  it('gives the names of its columns alone, where a node asks for its first row', () => {
    expect(values('Sheet1!1:1')).toHaveLength(1)
  })

  it('says how many rows were appended', () => {
    const asking = askingOf('POST /v4/spreadsheets/doc1/values/Sheet1:append', { values: [['a'], ['b'], ['c']] })
    expect(bodyOf(sheetValues(asking, [])).updates.updatedRows).toBe(3)
  })

  it('is one of those that the nodes name, by its number', () => {
    const hints = [node('Google Sheets', { names: [{ id: 'gid=77', name: 'Orders' }] })]
    const { sheets } = bodyOf(sheetsOf(askingOf('GET /v4/spreadsheets/doc1'), hints))
    expect(sheets).toMatchObject([
      { properties: { sheetId: 0, title: 'Sheet1' } },
      { properties: { sheetId: 77, title: 'Orders' } },
    ])
  })
})

describe('Airtable', () => {
  const ask = (call: string, body: object = {}, hints: Hint[] = []) =>
    bodyOf(airtableRecords(askingOf(call, body), hints))

  it('has records with the fields that a node reads, in either form', () => {
    for (const sample of [{ City: 'Rome' }, { fields: { City: 'Rome' } }]) {
      const { records } = ask('GET /v0/app1/tbl1', {}, [node('Airtable', { sample })])
      expect(records[0]).toMatchObject({ id: expect.stringMatching(/^rec/), fields: { City: 'Rome' } })
    }
  })

  it('gives the record that is asked for', () => {
    expect(ask('GET /v0/app1/tbl1/recABC')).toMatchObject({ id: 'recABC', fields: { name: 'Ada Lovelace' } })
  })

  it('keeps what is written', () => {
    const records = [{ id: 'recABC', fields: { name: 'Grace' } }]
    expect(ask('PATCH /v0/app1/tbl1', { records }).records).toMatchObject(records)
    expect(ask('POST /v0/app1/tbl1', { fields: { name: 'Grace' } }).fields.name).toBe('Grace')
  })

  it('deletes', () => {
    expect(ask('DELETE /v0/app1/tbl1/recABC')).toEqual({ id: 'recABC', deleted: true })
  })
})

describe('Supabase', () => {
  const ask = (call: string, body: unknown = {}, hints: Hint[] = []) => postgrestRows(askingOf(call, body), hints)

  it('has rows with the columns that a node reads', () => {
    const { body } = ask('GET /rest/v1/people', {}, [node('Supabase', { sample: { town: 'Rome' } })])
    expect(body).toEqual([{ town: 'Rome' }, { town: 'Rome' }])
  })

  it('gives one row, where a node asks for one', () => {
    expect(ask('GET /rest/v1/people?limit=1').body).toHaveLength(1)
  })

  it('gives back what is written', () => {
    expect(ask('POST /rest/v1/people', [{ name: 'Grace' }])).toMatchObject({ status: 201, body: [{ name: 'Grace' }] })
  })

  it('finds texts that are near a vector', () => {
    expect(ask('POST /rest/v1/rpc/match_documents').body).toMatchObject([{ similarity: 0.9 }, { similarity: 0.9 }])
  })
})

describe('a store of vectors', () => {
  it('of Pinecone gives as many texts as are asked for, and four at most', () => {
    const found = (topK: number) => bodyOf(vectorMatches(askingOf('POST /query', { topK }))).matches
    expect([1, 40].map((topK) => found(topK).length)).toEqual([1, 4])
    expect(found(1)[0].metadata.text).toMatch(/notebook/)
  })

  it('of Pinecone has the indexes that the nodes name', () => {
    const hints = [node('Pinecone', { names: [{ id: 'shop', name: 'shop' }] })]
    const { indexes } = bodyOf(pineconeIndexes(askingOf('GET /indexes'), hints))
    expect(indexes.map(({ name }: { name: string }) => name)).toEqual(['mock', 'shop'])
    expect(pineconeIndexes(askingOf('GET /indexes/shop'), hints).body).toMatchObject({ name: 'shop', dimension: 1536 })
  })

  test.each([
    ['search', (result: any) => result],
    ['query', ({ points }: any) => points],
    ['scroll', ({ points }: any) => points],
  ])('of Qdrant answers a %s in its form', (verb, points) => {
    const { result } = bodyOf(vectorPoints(askingOf(`POST /collections/shop/points/${verb}`, { limit: 1 })))
    expect(points(result)).toMatchObject([{ payload: { content: expect.stringMatching(/notebook/) } }])
  })
})

it('several calls of Google in one are each answered', () => {
  const raw = Buffer.from('--b\r\nDELETE /1\r\n--b\r\nDELETE /2\r\n--b--')
  const asking = askingOf('POST /batch', {}, { 'content-type': 'multipart/mixed; boundary="b"' })
  expect(String(googleBatch({ ...asking, raw }).body).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
})
