import type { Document } from 'yaml'

/**
 * Where and why a file is not YAML, in the parser's words without its picture of the place, which may show a secret;
 * null if it is YAML.
 */
export function syntaxError({ errors: [error] }: Document): { line: number | null; text: string } | null {
  if (!error) return null
  const [sentence = ''] = error.message.split('\n')
  return {
    line: error.linePos?.[0].line ?? null,
    text: `${sentence.replace(/ at line \d+, column \d+:?$|(?<=in YAML stream): ".*$/, '')}.`,
  }
}
