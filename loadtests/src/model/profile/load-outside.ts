import { readFile } from 'node:fs/promises'
import { LineCounter, parseDocument } from 'yaml'
import { profileErrors } from './errors.ts'
import { lineOf } from './lines.ts'
import { outsideSchema, type Outside } from './outside.ts'
import { refusalOf } from './refusal.ts'
import { syntaxError } from './yaml.ts'

/** A file with the content of a profile's `outside`: rules written by hand, or recorded ones. */
export async function loadOutside(file: string): Promise<Outside> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw profileErrors.unreadableFile(file, error.code ?? error.message)
  })
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const syntax = syntaxError(document)
  if (syntax)
    throw profileErrors.badProfile(
      { file, line: syntax.line },
      [`Expected YAML, got: ${syntax.text}`],
      'Correct the syntax at that line.',
    )
  const given: unknown = document.toJS()
  const parsed = outsideSchema.safeParse(given)
  if (parsed.success) return parsed.data
  throw refusalOf(parsed.error.issues, given, {
    whole: 'the file',
    keys: Object.keys(outsideSchema.shape),
    page: 'docs/outside.md',
    locate: (path) => ({ file, line: lineOf(document, lines, path) }),
  })
}
