/** Headers of a connection, or of whoever passed the request on: another request has its own. */
const own = new RegExp(
  '^(host|content-length|connection|keep-alive|transfer-encoding|te|upgrade|expect|accept-encoding|forwarded|via'
    + '|x-forwarded-.+|x-real-ip|cf-.+|cdn-loop|sec-fetch-.+|postman-token|:.+)$',
  'i',
)

/** Those that belong to the request itself, by lower-case names. */
export function carriedHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  const carried = [...headers]
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !own.test(name))
  // The boundary of a form that is written anew is another.
  return Object.fromEntries(
    carried.filter(([name, value]) => name !== 'content-type' || !value.startsWith('multipart/')),
  )
}
