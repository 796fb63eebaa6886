import { usage } from './errors.ts'

const suffixes: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** Amounts as Kubernetes writes them: `250m` → 0.25, `1Gi` → 1073741824. */
export function parseQuantity(text: string | number): number {
  const match = /^(\d+(?:\.\d*)?|\.\d+)(?:([eE][+-]?\d+)|([A-Za-z]*))$/.exec(String(text))
  const scale = match && suffixes[match[3] ?? '']
  if (!scale) {
    throw usage(
      'bad-quantity',
      `Expected CPU and memory as Kubernetes quantities such as 500m or 1Gi, got ${JSON.stringify(text)}.`,
      'Correct the resources among the Helm values.',
    )
  }
  return Number(`${match[1]}${match[2] ?? ''}`) * scale
}
