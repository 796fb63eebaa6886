/** One line of Prometheus' text format. */
export interface Metric {
  name: string
  labels: Record<string, string>
  value: number
}

/**
 * Parses only the lines whose name matches the pattern: n8n reports many more, and the lab reads them every second from
 * every process.
 */
export function parseMetrics(text: string, names: string): Metric[] {
  const lines = text.matchAll(new RegExp(`^(${names})(?:\\{(.*)\\})? ([-+.\\de]+|[-+]?Inf|NaN)(?: \\d+)?$`, 'gm'))
  return [...lines].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: labelsOf(labels),
    value: Number(value!.replace('Inf', 'Infinity')),
  }))
}

const escapes: Record<string, string> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' }

function labelsOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  return Object.fromEntries(
    pairs.map(([, name, value]) => [name!, value!.replace(/\\[n"\\]/g, (one) => escapes[one]!)]),
  )
}
