/**
 * The comments of a YAML file as Markdown, on the lines where they stand: `# -- ` begins a comment of its own,
 * and so does the line after a value.
 */
export function commentsOf(yaml: string): string {
  return yaml
    .split('\n')
    .map((line) => {
      const [, opening, text] = line.match(/^\s*#( --)? ?(.*)$/) ?? []
      if (text === undefined) return ''
      return opening ? `- ${text}` : `  ${text}`
    })
    .join('\n')
}
