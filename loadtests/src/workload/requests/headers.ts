/** Headers of a connection or a proxy, which differ for every request. */
const own = new RegExp(
  '^(host|content-length|connection|keep-alive|transfer-encoding|te|upgrade|expect|accept-encoding|forwarded|via'
    + '|x-forwarded-.+|x-real-ip|cf-.+|cdn-loop|sec-fetch-.+|postman-token|:.+)$',
  'i',
)

/** The headers of the request itself, by lower-case names. */
export function carriedHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  const carried = [...headers]
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !own.test(name))
  // k6 writes the form again, with another boundary.
  return Object.fromEntries(
    carried.filter(([name, value]) => name !== 'content-type' || !value.startsWith('multipart/')),
  )
}
