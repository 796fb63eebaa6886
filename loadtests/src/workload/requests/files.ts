import { basename, extname, relative } from 'node:path'
import { parse } from 'csv-parse/sync'
import { unreadable, problemOf } from '../../lib/errors.ts'
import { readBytes } from '../../lib/read.ts'
import { badRequest, type RequestSpec } from './schema.ts'
import type { Row } from '../../../scenarios/request.ts'

const types: Record<string, string> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
}

export interface Contents {
  name: string
  type: string
  base64: string
}

export async function contentsOf(given: NonNullable<RequestSpec['file']>, where: string): Promise<Contents> {
  const {
    path,
    name = basename(path),
    type = types[extname(path).toLowerCase()] ?? 'application/octet-stream',
  } = typeof given === 'string' ? { path: given } : given
  return { name, type, base64: (await readOr(path, where)).toString('base64') }
}

/** Rows of a CSV file, by the names in its first line. */
export async function rowsOf(path: string, where: string): Promise<Row[]> {
  const text = (await readOr(path, where)).toString()
  let rows: Row[]
  try {
    rows = parse(text, { columns: true, bom: true, skip_empty_lines: true, trim: true })
  } catch (error) {
    throw badRequest(
      relative('.', path),
      `Expected CSV with the names of its columns in the first line, got: ${(error as Error).message}.`,
    )
  }
  if (!rows.length)
    throw badRequest(
      relative('.', path),
      'Expected CSV with the names of its columns in the first line, got no row after it.',
    )
  return rows
}

const readOr = (path: string, where: string) =>
  readBytes(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(`${where}: ${path}`, problemOf(error))
  })
