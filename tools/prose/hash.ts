/**
 * The comments of a YAML file or a shell script as Markdown, on the lines where they stand: `# -- ` begins a comment
 * of its own, and so does the line after a value or a command.
 */
export function commentsOf(source: string): string {
  return source
    .split('\n')
    .map((line) => {
      if (/^\s*#(?:!| shellcheck )/.test(line)) return ''
      const [, opening, text] = line.match(/^\s*#( --)? ?(.*)$/) ?? []
      if (text === undefined) return afterCode(line)
      return opening ? `- ${text}` : `  ${text}`
    })
    .join('\n')
}

/** `retries: 3 # why`. A `#` within quotes is no comment. */
function afterCode(line: string): string {
  const [, code, text] = line.match(/^(.*\S)\s+# (.*)$/) ?? []
  const quotes = code?.match(/["'`]/g)?.length ?? 0
  return text === undefined || quotes % 2 ? '' : `- ${text}`
}
