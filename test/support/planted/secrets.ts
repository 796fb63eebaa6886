import { randomBytes } from 'node:crypto'

/**
 * A secret for each place where a user may have one. Half of them look like keys, half like words, so that neither form
 * nor name alone finds them.
 */
export function makeSecrets() {
  const all = new Map<string, string>()
  const letters = () =>
    randomBytes(12)
      .toString('base64')
      .replace(/[^a-z]/g, '')
      .padEnd(6, 'x')
  const secret = (place: string, looks: 'key' | 'word' = 'key') => {
    const text = looks === 'key' ? `pl4nt3d-${randomBytes(8).toString('hex')}` : `planted${letters()}`
    all.set(place, text)
    return text
  }
  return { all, secret }
}

export type Secret = ReturnType<typeof makeSecrets>['secret']
