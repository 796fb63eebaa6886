/** The words of commands as a shell has them, a list for each command. No shell runs them: they are a stranger's. */
export function commandsIn(text: string, variable: (name: string) => string): string[][] {
  const commands: string[][] = [[]]
  let word: string | null = null
  let quote: '"' | "'" | null = null
  const endWord = () => {
    if (word !== null) commands.at(-1)!.push(word)
    word = null
  }
  const endCommand = () => {
    endWord()
    if (commands.at(-1)!.length > 0) commands.push([])
  }
  for (let at = 0; at < text.length; at++) {
    const rest = text.slice(at, at + 2)
    const one = text[at]!
    if (quote === "'") {
      if (one === "'") quote = null
      else word += one
    } else if (/^[\\`^]\r?\n?/.test(rest) && /^.\r?\n/.test(text.slice(at, at + 3))) {
      // The line goes on: in a shell, in PowerShell, in cmd.
      at += text[at + 1] === '\r' ? 2 : 1
    } else if (one === '\\' && at + 1 < text.length) {
      const isPlain = quote === '"' && !/["\\$`]/.test(text[at + 1]!)
      word = (word ?? '') + (isPlain ? one : '') + text[++at]!
    } else if (one === '$') {
      const found = /^\$(?:\{(\w+)\}|(\w+))/.exec(text.slice(at, at + 200))
      word = (word ?? '') + (found ? variable((found[1] ?? found[2])!) : variable(text.slice(at, at + 20)))
      at += (found?.[0].length ?? 1) - 1
    } else if (quote === '"') {
      if (one === '"') quote = null
      else word += one
    } else if (one === '"' || one === "'") {
      quote = one
      word ??= ''
    } else if (one === '#' && word === null) {
      while (at + 1 < text.length && text[at + 1] !== '\n') at++
    } else if (/[\n;&|]/.test(one)) endCommand()
    else if (/\s/.test(one)) endWord()
    else word = (word ?? '') + one
  }
  endCommand()
  return commands.filter((words) => words.length > 0)
}
