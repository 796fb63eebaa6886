/**
 * Variables that n8n and Node document, which send calls to a proxy. In upper and lower case, so that no other proxy is
 * asked. `allow`: what is reached without it.
 */
export function proxyVariables(proxy: string, allow: string[]): Record<string, string> {
  const direct = ['127.0.0.1', '::1', ...allow.map((one) => one.replace(/:\d+$/, ''))].join(',')
  const proxies = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: direct }
  const both = Object.entries(proxies).flatMap(([name, value]) => [
    [name, value],
    [name.toLowerCase(), value],
  ])
  return { ...Object.fromEntries(both), NODE_USE_ENV_PROXY: '1' }
}
