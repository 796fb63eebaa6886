/**
 * Text of others for a terminal, a table or a comment. Control characters move the cursor, set the title and hide what
 * was said; marks of direction turn it round.
 */
export const printable = (text: string): string => text.replace(hidden, '\uFFFD')

/** All but the end of a line and the tab. */
const hidden = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/** The same of every text in it, and of every key. */
export function printableIn<Given>(given: Given): Given {
  if (typeof given === 'string') return printable(given) as Given
  if (Array.isArray(given)) return given.map(printableIn) as Given
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [printable(key), printableIn(value)])) as Given
}
