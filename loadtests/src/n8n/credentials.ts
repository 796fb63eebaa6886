import { parseJson } from '../lib/json.ts'
import { readText } from '../lib/read.ts'
import { unreadable, usage, problemOf } from '../lib/errors.ts'

/** A credential in the format of `n8n export:credentials --decrypted`. */
export interface Credential {
  id: string
  name: string
  type: string
  data: Record<string, unknown>
}

export async function readCredentials(file: string): Promise<Credential[]> {
  const text = await readText(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, problemOf(error))
  })
  // Messages never quote the file.
  const given = parsed(text, file)
  const all = [given].flat() as Partial<Credential>[]
  const encrypted = all.find((one) => typeof one?.data === 'string')
  if (encrypted) throw badCredentials(file, 'encrypted ones')
  const stray = all.some(
    (one) => !one?.id || !one.name || !one.type || typeof one.data !== 'object' || one.data === null,
  )
  if (stray || !all.length) throw badCredentials(file, all.length ? 'one without id, name, type or data' : 'none')
  return all.map(({ id, name, type, data }) => ({ id: String(id), name: name!, type: type!, data: data! }))
}

function parsed(text: string, file: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw badCredentials(file, 'no JSON')
  }
}

/** The file that n8n imports; 0.x refuses it without the last list, whatever the list contains. */
export const importableCredentials = (credentials: Credential[]) =>
  credentials.map((one) => ({ ...one, nodesAccess: [] }))

const badCredentials = (where: string, got: string) =>
  usage(
    'bad-credentials',
    `${where}: Expected credentials as n8n export:credentials --all --decrypted writes them, got ${got}.`,
    'Export them again. The lab reads the file, imports it for the run and never records it.',
  )
