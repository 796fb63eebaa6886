/** Replaces a secret in a record. */
export const redacted = 'REDACTED'

/** Secrets that show by their form, wherever they are: passwords in URLs, signed URLs, JWTs, known kinds of keys. */

/** Names before a secret, in a text and in a URL. */
const inText =
  'access_?token|api_?-?key|app_?key|auth_?token|client_?secret|credential|id_?token|jwt|oauth_?token|passphrase|passwd'
  + '|password|private_?key|private_?token|pwd|refresh_?token|secret|session_?id|signature|token'
const inUrl =
  `${inText}|auth|authorization|code|hmac|key|key-pair-id|pass|policy|session|sid|sig`
  + '|x-\\w+-(?:credential|security-token|signature)'

/** Of what they match, all but the group `kept` is a secret. */
const forms = [
  // postgres://user:password@host
  /(?<kept>\w:\/\/)[^/\s"'<>]+(?=@)/g,
  // ?X-Amz-Signature=…, #access_token=…
  new RegExp(`(?<kept>[?&#;](?:amp;)?(?:${inUrl})=)[^&\\s"'<>#;]+`, 'gi'),
  /(?<kept>\b(?:Bearer|Basic)\s+)[A-Za-z0-9+/=._~-]{8,}/g,
  /(?<kept>\b(?:(?:Proxy-)?Authorization|Set-Cookie|Cookie)["']?\s*[:=]\s*["']?)[^\r\n"']+/gi,
  // "password":"…", and password=…
  new RegExp(`(?<kept>(?:\\b|_)(?:${inText})["']?\\s?[:=]\\s?["'])[^"'\\r\\n]+`, 'gi'),
  new RegExp(`(?<kept>(?:\\b|_)(?:${inText})=)[^\\s&"'<>,;)]+`, 'gi'),
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /\b(sk|pk|rk)[-_](live|test|proj|ant|or|svcacct)[-_][\w-]{8,}/g,
  /\bsk-[A-Za-z0-9]{16,}/g,
  /\b(xox[a-z]|xapp)-[\w-]{8,}/g,
  /\b(gh[opusr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,})/g,
  /\b(AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\bAIza[\w-]{30,}|\bya29\.[\w-]{10,}|\bSG\.[\w-]{10,}\.[\w-]{10,}|\b(whsec|shp(at|ss|ca|pa))_\w{16,}/g,
  /(?<kept>hooks\.slack\.com\/(?:services|workflows)\/)[\w/]+/g,
  /(?<kept>\/bot)\d{6,}:[\w-]{20,}/g,
]

/** The text without them; `found` gets each. */
export function withoutForms(text: string, found: (secret: string) => void = () => {}): string {
  return forms.reduce(
    (kept, form) =>
      kept.replace(form, (match: string, ...rest: unknown[]) => {
        const before = (rest.at(-1) as { kept?: string }).kept ?? ''
        const secret = match.slice(before.length)
        if (secret !== redacted) found(secret)
        return before + redacted
      }),
    text,
  )
}

export const hasSecretForm = (text: string): boolean => withoutForms(text) !== text

/** Long and random, as a token is, and neither a time, an address nor words. */
export function looksRandom(text: string): boolean {
  if (text.length < 16 || /\s/.test(text) || spoken.some((form) => form.test(text))) return false
  const digits = text.match(/\d/g)?.length ?? 0
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0
  const longest = Math.max(...text.split(/[^A-Za-z0-9]+/).map(({ length }) => length))
  const changes = text.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0
  return letters > 0 && (digits >= 3 || (digits > 0 && longest >= 16) || (longest >= 20 && changes >= 3))
}

/** One word of letters and figures, and neither a time, an address, a place nor a version. */
export const mayBeKey = (text: string): boolean =>
  /^(?=\S*\d)(?=\S*[A-Za-z])\S{8,}$/.test(text) && !spoken.some((form) => form.test(text))

const spoken = [
  /^\d{4}-\d\d-\d\d([T ]|$)/,
  /^[a-z][a-z0-9+.-]*:\/\//i,
  /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i,
  /^\d+(\.\d+)+$/,
  /^(\/[a-z][a-z._-]*)+\/?$/i,
  /^[a-z]+\/[a-z0-9.+-]+(;.*)?$/i,
]
