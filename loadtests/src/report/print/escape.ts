/** Markup that is known to be safe. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

type Content = Markup | string | number | null | undefined | false | Content[]

/** Everything put into the template is escaped, unless it is markup that this function made. */
export function html(parts: TemplateStringsArray, ...contents: Content[]): Markup {
  return new Markup(parts.reduce((before, part, index) => before + safe(contents[index - 1]) + part))
}

function safe(content: Content): string {
  if (content === null || content === undefined || content === false) return ''
  if (content instanceof Markup) return content.text
  if (Array.isArray(content)) return content.map(safe).join('')
  return escape(String(content))
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)

/** JSON inside a script element: nothing in it can end the element. */
export const json = (value: unknown): Markup => new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'))
