import { fitted } from '../../inferred/fit.ts'
import { sampleFor } from '../../inferred/sample.ts'
import type { ServiceAnswer, Asking } from './asking.ts'
import type { Hint } from '../../../model/outside.ts'

/** Services that answer with rows: their columns are those that the workflow reads. */

type Row = Record<string, unknown>

const usual: Row = {
  id: '1',
  name: 'Ada Lovelace',
  email: 'ada.lovelace@example.com',
  status: 'active',
  date: '2026-01-31',
  amount: 42.5,
}

/** Two rows with what the nodes of this service read. */
export function rowsFor(service: string, hints: Hint[]): Row[] {
  const own = hints.filter((hint) => hint.service === service)
  const row = own.reduce<Row>((made, hint) => (hint.sample === null ? made : (fitted(made, unlisted(hint)) as Row)), {})
  const found = Object.keys(row).length ? row : usual
  const asked = own.flatMap(({ columns = [], sought = {} }) => [
    ...columns.map((column) => [column, null] as const),
    ...Object.entries(sought),
  ])
  const full = asked.reduce(
    (row, [column, value]) => ({ ...row, [column]: value ?? row[column] ?? sampleFor(column) }),
    found,
  )
  return [full, full].map((one, index) => filled(one, index + 1))
}

/** What is read of a list is read of each of its rows. */
const unlisted = (hint: Hint): Hint => (Array.isArray(hint.sample) ? { ...hint, sample: hint.sample[0] } : hint)

const filled = (row: Row, number: number): Row =>
  JSON.parse(
    JSON.stringify(row)
      .replace(/"\{\{(counter|timestamp)\}\}"/g, String(number))
      .replace(/\{\{(counter|timestamp)\}\}/g, String(number))
      .replace(/\{\{[^}]*\}\}/g, `sample ${number}`),
  ) as Row

const cell = (value: unknown) =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : value

/** The sheets that the nodes name: each by its number, its id or its title. */
export function sheetsOf({ path }: Asking, hints: Hint[]): ServiceAnswer {
  const spreadsheetId = path.split('/')[3] ?? 'mock'
  const named = hints.filter(({ service }) => service === 'Google Sheets').flatMap(({ names = [] }) => names)
  const sheets = new Map([['0', 'Sheet1'], ...named.map(({ id, name }) => [id.replace(/^gid=/, ''), name] as const)])
  return {
    body: {
      spreadsheetId,
      properties: { title: 'Sample' },
      sheets: [...sheets].map(([id, title], index) => ({
        properties: {
          sheetId: /^\d+$/.test(id) ? Number(id) : id,
          title,
          index,
          sheetType: 'GRID',
          gridProperties: { rowCount: 1000, columnCount: 26 },
        },
      })),
    },
  }
}

/** The indexes that the nodes name. */
export function pineconeIndexes({ path }: Asking, hints: Hint[]): ServiceAnswer {
  const named = hints.filter(({ service }) => service === 'Pinecone').flatMap(({ names = [] }) => names)
  const index = (name: string) => ({
    name,
    metric: 'cosine',
    dimension: 1536,
    vector_type: 'dense',
    deletion_protection: 'disabled',
    status: { ready: true, state: 'Ready' },
    host: 'mock-abc.svc.aped-0000-0000.pinecone.io',
    spec: { serverless: { cloud: 'aws', region: 'us-east-1' } },
  })
  const [, one] = /^\/indexes\/([^/]+)/.exec(path) ?? []
  if (one) return { body: index(decodeURIComponent(one)) }
  return { body: { indexes: [...new Set(['mock', ...named.map(({ id }) => id)])].map(index) } }
}

/** Google Sheets: a range of a sheet, whose first row names the columns. */
export function sheetValues({ path, body }: Asking, hints: Hint[]): ServiceAnswer {
  const [, range = 'Sheet1'] = /values\/([^:/?]+)/.exec(path) ?? []
  const rows = rowsFor('Google Sheets', hints).map(({ row_number: _, ...row }) => row)
  const names = Object.keys(rows[0]!)
  const values = [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
  const one = { range: `${decodeURIComponent(range)}!A1:Z1000`, majorDimension: 'ROWS' }
  const only = /%211(%3A|:)1$|!1:1$/.test(path) ? values.slice(0, 1) : values
  if (path.includes('batchGet')) return { body: { spreadsheetId: 'mock', valueRanges: [{ ...one, values }] } }
  if (path.endsWith(':append') || path.includes(':batchUpdate') || path.endsWith(':clear')) {
    const sent = (body as { values?: unknown[][]; data?: unknown[] } | null) ?? {}
    const updated = {
      spreadsheetId: 'mock',
      updatedRange: 'Sheet1!A4:Z4',
      updatedRows: sent.values?.length ?? 1,
      updatedColumns: names.length,
      updatedCells: names.length,
    }
    return {
      body: path.endsWith(':append')
        ? { spreadsheetId: 'mock', tableRange: 'Sheet1!A1:Z3', updates: updated }
        : { spreadsheetId: 'mock', totalUpdatedRows: 1, totalUpdatedCells: 1, responses: [updated] },
    }
  }
  return { body: { ...one, values: only } }
}

export function airtableRecords({ method, path, body, counter }: Asking, hints: Hint[]): ServiceAnswer {
  const createdTime = '2026-01-31T09:30:00.000Z'
  const rows = rowsFor('Airtable', hints).map(({ id: _, createdTime: __, fields, ...row }) => ({
    ...row,
    ...(typeof fields === 'object' ? fields : {}),
  }))
  const record = (row: Row, index: number) => ({
    id: `recStandIn${String(counter + index).padStart(7, '0')}`,
    createdTime,
    fields: row,
  })
  const single = /\/rec[A-Za-z0-9]+$/.test(path)
  const sent = body as { records?: { id?: string; fields?: Row }[]; fields?: Row }
  if (method === 'DELETE')
    return {
      body: single
        ? { id: path.split('/').at(-1), deleted: true }
        : { records: [{ id: 'recStandIn0000001', deleted: true }] },
    }
  const named = (one: object) => ({ ...one, ...(single && { id: path.split('/').at(-1) }) })
  if (method === 'GET') return { body: single ? named(record(rows[0]!, 0)) : { records: rows.map(record) } }
  if (sent.records)
    return {
      body: {
        records: sent.records.map(({ id, fields = {} }, index) => ({
          ...record({ ...rows[0], ...fields }, index),
          ...(id && { id }),
        })),
        createdRecords: [],
        updatedRecords: [],
      },
    }
  return { body: named(record({ ...rows[0], ...sent.fields }, 0)) }
}

/** Supabase's tables, over PostgREST. */
export function postgrestRows({ method, path, body, query }: Asking, hints: Hint[]): ServiceAnswer {
  const rows = rowsFor('Supabase', hints)
  if (path.includes('/rpc/match'))
    return {
      body: [1, 2].map((id) => ({
        id,
        content: 'A sample paragraph about a notebook.',
        metadata: {},
        similarity: 0.9,
        embedding: null,
      })),
    }
  if (method === 'GET') return { body: query.get('limit') === '1' ? rows.slice(0, 1) : rows }
  const sent = [body].flat().filter((one): one is Row => typeof one === 'object' && one !== null)
  return {
    status: method === 'POST' ? 201 : 200,
    body: (sent.length ? sent : [{}]).map((one) => ({ ...rows[0], ...one })),
  }
}

const paragraph = 'Ada Lovelace wrote this sample paragraph about a notebook, its price and its delivery.'

/** Pinecone's matches of a vector. */
export function vectorMatches({ body }: Asking): ServiceAnswer {
  const { topK = 2, namespace = '' } = body as { topK?: number; namespace?: string }
  return {
    body: {
      matches: Array.from({ length: Math.min(topK, 4) }, (_, index) => ({
        id: `mock-${index + 1}`,
        score: 0.91 - index / 100,
        values: [],
        metadata: { text: paragraph, source: 'mock', loc: '1' },
      })),
      namespace,
      usage: { readUnits: 1 },
    },
  }
}

/** Qdrant's points near a vector. */
export function vectorPoints({ body, path }: Asking): ServiceAnswer {
  const { limit = 2 } = body as { limit?: number }
  const points = Array.from({ length: Math.min(limit, 4) }, (_, index) => ({
    id: index + 1,
    version: 1,
    score: 0.91 - index / 100,
    payload: { content: paragraph, metadata: { source: 'mock' } },
    vector: null,
  }))
  return {
    body: {
      result: path.endsWith('/query')
        ? { points }
        : path.endsWith('/scroll')
          ? { points, next_page_offset: null }
          : points,
      status: 'ok',
      time: 0.002,
    },
  }
}

/** Several calls of Google in one: each part gets an empty success. */
export function googleBatch({ raw, headers }: Asking): ServiceAnswer {
  const [, boundary = ''] = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '') ?? []
  const count = Math.max(1, raw.toString('latin1').split(`--${boundary}`).length - 2)
  const part =
    '--mock\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}\r\n'
  return {
    headers: { 'content-type': 'multipart/mixed; boundary=mock' },
    body: `${part.repeat(count)}--mock--\r\n`,
  }
}
