import type { Tier, Workload } from './plan.ts'

/** The tier in the chart's labels, and the patches that it asks n8n's processes for. */
export function tierOf(annotations: Record<string, string>[], workloads: Workload[]): Tier | null {
  const written = annotations.find((each) => each['n8n-tuned/tier'] !== undefined)
  if (!written) return null
  return {
    name: written['n8n-tuned/tier']!,
    givesUp: listed(written['n8n-tuned/gives-up']),
    patches: [...new Set(workloads.flatMap(({ containers }) => containers).flatMap(patchesOf))],
  }
}

/** `off` in place of their names switches all of them off. */
function patchesOf({ env }: Workload['containers'][number]): string[] {
  const { N8N_TUNED_PATCHES: asked } = env
  return asked === 'off' ? [] : listed(asked)
}

const listed = (text = '') => text.split(/, ?/).filter(Boolean)
