/** Splits a command into words as a shell does: '…', "…", $'…' and backslashes. Expands nothing. */
export function shellWords(command: string): string[] {
  const words: string[] = []
  let word: string | null = null
  const part = /\\\r?\n|(\s+)|'([^']*)'|\$'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\$]+|\$)/gsy
  for (const [whole, space, single, ansi, double, escaped, plain] of command.matchAll(part)) {
    if (space !== undefined) {
      if (word !== null) words.push(word)
      word = null
    } else if (!/^\\\r?\n/.test(whole)) {
      word =
        (word ?? '')
        + (single
          ?? (ansi === undefined ? undefined : ansiText(ansi))
          ?? double?.replace(/\\(\r?\n|["\\$`])/g, (_, of: string) => (of.endsWith('\n') ? '' : of))
          ?? escaped
          ?? plain
          ?? '')
    }
  }
  return word === null ? words : [...words, word]
}

const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', 0: '\0' }

const ansiText = (text: string) =>
  text.replace(
    /\\(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2})|(.))/gs,
    (_, unicode?: string, hex?: string, char?: string) => {
      const code = unicode ?? hex
      return code === undefined ? (controls[char!] ?? char!) : String.fromCharCode(parseInt(code, 16))
    },
  )
