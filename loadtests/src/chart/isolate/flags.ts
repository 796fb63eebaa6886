/**
 * Flags of Node that an operator may add to the chart's own. Each tunes the process, and none loads code, opens a port,
 * or reads or writes a file. A release of Node brings new ones: what is not here is set aside.
 */
const harmless = new RegExp(
  `^--(?:${[
    // memory
    'max-old-space-size(-percentage)?|(max|min)-semi-space-size|semi-space-growth-factor|initial-old-space-size',
    'max-heap-size|stack-size|stack-trace-limit|v8-pool-size|secure-heap(-min)?|huge-max-old-generation-size',
    'expose-gc|use-largepages|zero-fill-buffers|jitless|interpreted-frames-native-stack',
    // network
    '(max-http-header-size|dns-result-order|insecure-http-parser|(no-)?network-family-autoselection)',
    'network-family-autoselection-attempt-timeout|tls-(min|max)-v1\\.[0-3]|use-(openssl|bundled|system)-ca',
    'openssl-legacy-provider|force-fips|enable-fips|(no-)?experimental-(fetch|websocket|global-webcrypto|eventsource)',
    // what is printed
    '(no-|trace-)?warnings|(no-|trace-|throw-|pending-)?deprecation|disable-warning|trace-(uncaught|sigint|exit)',
    'unhandled-rejections|enable-source-maps|no-node-snapshot',
    // what code may do
    'disable-proto|disallow-code-generation-from-strings|frozen-intrinsics',
  ].join('|')})$`,
)

/** A number, a word or a list of words. */
const plain = /^[\w.,-]*$/

/** The flags of a NODE_OPTIONS that stay and those that go, each with its values. */
export function flagsOf(given: string): { kept: string[]; gone: string[] } {
  const flags: string[][] = []
  for (const word of wordsOf(given)) {
    if (/^"?-/.test(word) || flags.length === 0) flags.push([word])
    else flags.at(-1)!.push(word)
  }
  const isKept = ([first = '', ...rest]: string[]) => {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(first)!
    return harmless.test(name.replaceAll('_', '-')) && [value, ...rest].every((one) => plain.test(one))
  }
  const inWords = (some: string[][]) => some.map((words) => words.join(' '))
  return { kept: inWords(flags.filter(isKept)), gone: inWords(flags.filter((flag) => !isKept(flag))) }
}

/** As Node divides NODE_OPTIONS: at spaces that stand in no quotes. */
const wordsOf = (given: string): string[] => given.match(/(?:"(?:\\.|[^"\\])*"?|[^\s"])+/gs) ?? []
