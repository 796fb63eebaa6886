/** What a request to a bare server asks for, by the name in a profile: `hello`, or `count-500000`. */
export function findRequest(name: string): { method: string; path: string } | null {
  const [, to] = /^count-(\d{1,10})$/.exec(name) ?? []
  if (to === undefined) return name === 'hello' ? { method: 'GET', path: '/hello' } : null
  return { method: 'GET', path: `/count/${to}` }
}
