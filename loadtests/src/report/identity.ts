import type { Summary } from '../model/summary.ts'
import { list } from '../lib/figures.ts'
import { toldOf } from './choice.ts'

/** What exactly was measured: chart, n8n, image, tier and patches. What the record does not say is left out. */
export function identityOf(summary: Summary): string[] {
  const { versions, engine, limits } = summary.environment
  const tiers = toldOf(summary).flatMap(({ tier }) => tier ?? [])
  const each = (values: (string | undefined)[]) => [...new Set(values)].filter((value) => value !== undefined)
  const named = (what: string, values: (string | undefined)[]) =>
    each(values).length > 0 ? [`${what} ${list(each(values))}`] : []
  const patched = each(tiers.flatMap(({ applied }) => applied))
  return [
    ...named(
      'chart',
      tiers.map(({ chart }) => chart),
    ),
    ...(versions.n8n ? [`n8n ${versions.n8n}`] : []),
    ...(engine === 'processes'
      ? ['installed from npm, without an image']
      : images(each(tiers.map(({ image }) => image)), limits)),
    ...named(
      'tier',
      tiers.map(({ name }) => name),
    ),
    ...(tiers.length > 0 ? [patched.length > 0 ? `patches ${list(patched)}` : 'no patches'] : []),
  ]
}

/** Only a cluster is given the digest: on one machine the tag alone names the image. */
function images(named: string[], limits: string): string[] {
  return named.map((image) => {
    const pinned = image.includes('@')
    if (limits === 'Kubernetes') return `image ${image}${pinned ? '' : ', no digest pinned'}`
    return `image ${image.split('@')[0]}, digest not recorded`
  })
}
