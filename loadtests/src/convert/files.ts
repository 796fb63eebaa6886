import { locationText, usage } from '../lib/errors.ts'
import { shellWord } from '../lib/shell.ts'
import { readEnv } from './compose/read.ts'
import { convert, type Converted } from './convert.ts'
import { readGivenValues, type GivenValues } from './read/read.ts'
import type { ReadFiles } from './source.ts'
import { readers, sources, type SourceName } from './sources.ts'
import { notesOf, type PlaceOf } from './words.ts'

export interface ConvertAsked {
  from: SourceName
  release?: string
  tag?: string
  env?: string
  profiles: string[]
  drop: string[]
}

/** What files of theirs become: our values, and everything that these cannot say. */
export async function convertFiles(
  files: string[],
  asked: ConvertAsked,
): Promise<{ called: string; converted: Converted; placeOf: PlaceOf; notes: string }> {
  const [file] = files
  if (file === undefined)
    throw usage('no-file', 'Expected a file with their values, got none.', 'Write its name at the end of the command.')
  const { values, place, around, idle, ...read } = await readTheirs(files, asked)
  const source = sources[asked.from](values)
  const release = asked.release ?? read.release ?? 'n8n'
  const converted = convert(source, values, { ...asked, release, idle }, around)
  const placeOf: PlaceOf = ([first, ...keys]) =>
    around && first === around.name ? around.layer.place(keys) : place(first === undefined ? [] : [first, ...keys])
  const { open } = converted
  if (open.length > 0)
    throw usage(
      'unknown-keys',
      `Expected only keys that ${source.called} reads, got ${open.length} other${open.length > 1 ? 's' : ''}:\n`
        + open.map(({ path, keys }) => `  ${locationText(placeOf(keys) ?? { file, line: 1 })}: ${path}`).join('\n'),
      `Correct each, or leave it out: --drop ${shellWord(open[0]!.path)} (once for each key or map).`,
    )
  return { called: source.called, converted, placeOf, notes: notesOf(converted, file, placeOf) }
}

async function readTheirs(files: string[], asked: ConvertAsked): Promise<GivenValues & ReadFiles> {
  const reader = readers[asked.from]
  if (reader) return reader(files, asked)
  return readGivenValues(files, { ...asked, env: asked.env === undefined ? {} : await readEnv(asked.env) })
}
