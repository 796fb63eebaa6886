import type { Document } from 'yaml'

/** Where a file stops being YAML, in the parser's own words without its drawing of the place; null where it is some. */
export function syntaxError({ errors: [error] }: Document): { line: number | null; text: string } | null {
  if (!error) return null
  const [sentence = ''] = error.message.split('\n')
  return { line: error.linePos?.[0].line ?? null, text: `${sentence.replace(/ at line \d+, column \d+:?$/, '')}.` }
}
