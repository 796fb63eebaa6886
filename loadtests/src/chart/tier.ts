import type { Manifest, RunsPods } from './objects.ts'
import type { Workload } from './plan.ts'
import type { Tier } from '../model/tier.ts'

/** The tier in the chart's labels, the patches that it asks n8n's processes for, the chart and the image. */
export function tierOf(running: (Manifest & { spec: RunsPods })[], workloads: Workload[]): Tier | null {
  const n8n = running.find(({ spec }) => spec.template.metadata.annotations?.['n8n-tuned/tier'] !== undefined)
  if (!n8n) return null
  const { metadata, spec } = n8n.spec.template
  const said = metadata.annotations!
  const chart = /-(\d.*)$/.exec(n8n.metadata.labels?.['helm.sh/chart'] ?? '')?.[1]
  return {
    name: said['n8n-tuned/tier']!,
    givesUp: listed(said['n8n-tuned/gives-up']),
    patches: [...new Set(workloads.flatMap(({ containers }) => containers).flatMap(patchesOf))],
    ...(chart !== undefined && { chart }),
    image: spec.containers.find(({ name }) => name === 'n8n')?.image,
  }
}

/** `off` in place of their names switches all of them off. */
function patchesOf({ env }: Workload['containers'][number]): string[] {
  const { N8N_TUNED_PATCHES: asked } = env
  return asked === 'off' ? [] : listed(asked)
}

const listed = (text = '') => text.split(/, ?/).filter(Boolean)
