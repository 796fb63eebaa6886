/** Splits `name=value` at the first `=`, since a value may contain more of them; without any, there is no value. */
export function nameValue(text: string): [name: string, value: string | undefined] {
  const at = text.indexOf('=')
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
