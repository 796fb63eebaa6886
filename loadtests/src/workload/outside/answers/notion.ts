import type { Asking, ServiceAnswer } from './asking.ts'
import type { Hint } from '../../../model/outside.ts'
import { rowsFor } from './tables.ts'

type Row = Record<string, unknown>

/** Pages of a database, or one of them. What a node hands on as `property_due` is the property `due` of a page. */
export function notionPages({ method, path }: Asking, hints: Hint[]): ServiceAnswer {
  const pages = rowsFor('Notion', hints).map(pageOf)
  const [, id] = /^\/v1\/pages\/([^/]+)$/.exec(path) ?? []
  if (id) return { body: { ...pages[0], id } }
  if (method === 'POST' && path === '/v1/pages') return { body: pages[0] }
  return { body: { object: 'list', results: pages, next_cursor: null, has_more: false } }
}

/** What a page has beside its properties, and its node hands on as it is. */
const own = new Set(['id', 'object', 'name', 'url', 'parent', 'icon', 'cover', 'archived', 'properties', 'json'])

function pageOf({ name, email = 'ada.lovelace@example.com', status = 'active', ...row }: Row, index: number): Row {
  const read = Object.entries(row).filter(([key]) => !own.has(key) && !/^(created|last_edited)_/.test(key))
  const id = `${index + 1}1111111-1111-4111-8111-111111111111`
  return {
    object: 'page',
    id,
    created_time: '2026-01-31T09:30:00.000Z',
    last_edited_time: '2026-01-31T09:30:00.000Z',
    archived: false,
    url: `https://www.notion.so/sample-${id.replaceAll('-', '')}`,
    parent: { type: 'database_id', database_id: '22222222-2222-4222-8222-222222222222' },
    icon: null,
    cover: null,
    properties: {
      Name: { id: 'title', type: 'title', title: wordsOf(name ?? 'Ada Lovelace') },
      Email: { id: 'a', type: 'email', email },
      Status: { id: 'b', type: 'status', status: { name: status, color: 'default' } },
      ...Object.fromEntries(
        read.map(([key, value]) => [key.replace(/^property_/, ''), { id: key, ...propertyOf(value) }]),
      ),
    },
  }
}

const wordsOf = (value: unknown) => {
  const text = String(value)
  return [{ type: 'text', plain_text: text, text: { content: text, link: null }, annotations: {} }]
}

/** A property whose value the node simplifies to this one. */
function propertyOf(value: unknown): Row {
  if (typeof value === 'number') return { type: 'number', number: value }
  if (typeof value === 'boolean') return { type: 'checkbox', checkbox: value }
  if (Array.isArray(value))
    return { type: 'multi_select', multi_select: value.map((name) => ({ name, color: 'default' })) }
  if (typeof value === 'object') return { type: 'date', date: value }
  return { type: 'rich_text', rich_text: wordsOf(value) }
}
