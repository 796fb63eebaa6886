/**
 * The comments of a YAML file or a shell script as Markdown, on the lines where they stand. `# -- ` begins a comment,
 * and so does the line after a value or a command. Tables and usage lines are no sentences.
 */
export function commentsOf(source: string): string {
  let usage = false
  return source
    .split('\n')
    .map((line) => {
      const [, opening, text] = line.match(/^\s*#( --)?(.*)$/) ?? []
      usage = text !== undefined && (usage || /^ usage:/.test(text))
      if (text === undefined) return afterCode(line)
      if (usage || /^!| {2,}| shellcheck /.test(text)) return ''
      return opening ? `-${text}` : ` ${text}`
    })
    .join('\n')
}

/** `retries: 3 # why`. A `#` within quotes is no comment. */
function afterCode(line: string): string {
  const [, code, text] = line.match(/^(.*\S)\s+# (.*)$/) ?? []
  const quotes = code?.match(/["'`]/g)?.length ?? 0
  return text === undefined || quotes % 2 ? '' : `- ${text}`
}
