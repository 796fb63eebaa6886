import { passages, type Passage } from './markdown.ts'

const comment = /\{\{-?\s*\/\*([^]*?)\*\/\s*-?\}\}/g
const action = /\{\{[^]*?\}\}/g
/** `worker.pools: Expected …`, `- The key is in …`, `Open …`. */
const message = /^(?:- |[^ ]*: (?=Expected ))?(\p{Lu}.* .* .* .*[.:])$/u

/** A message whose further lines are indented, as the chart joins them. */
const broken = /^(?:- |[^ \n]*: (?=Expected ))\p{Lu}.*(?:\n {2}\S.*)+/gmu

/** What a reader reads of a chart's template: its comments, and the text that it gives out as sentences. */
export function templatePassages(template: string): Passage[] {
  const lineOf = (offset: number): number => template.slice(0, offset).split('\n').length
  const comments = [...template.matchAll(comment)].flatMap(({ index, 1: text }) =>
    passages(text!.replaceAll(/^[ \t]+/gm, '')).map((passage) => ({
      ...passage,
      line: passage.line + lineOf(index) - 1,
    })),
  )
  return [...comments, ...messagesOf(template.replaceAll(comment, blank))]
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, '')

function messagesOf(template: string): Passage[] {
  const alone = /^[ \t]*\{\{.*\}\}[ \t]*$/gm
  const text = template
    .replaceAll(alone, blank)
    .replaceAll(action, (found) => `Code${blank(found)}`)
    .replaceAll(broken, (found) => found.replaceAll('\n  ', ' ') + blank(found))
  return text.split('\n').flatMap((line, index) => {
    const said = line.trim().match(message)?.[1]
    return said ? [{ line: index + 1, text: said }] : []
  })
}
