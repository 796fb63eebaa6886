import type { Summary } from '../model/summary.ts'
import { list } from '../lib/figures.ts'
import { namesOf } from './names.ts'
import type { TierInForce } from '../model/tier.ts'

/** A longer list in a row is unreadable. */
const MANY = 6

/** What is lost with each configuration, and which patches were active: one sentence for those that share it. */
export function tiersOf({ results }: Summary): string[] {
  const name = namesOf(results)
  const known = results.flatMap(({ tier, ...result }) => (tier ? [{ tier, name: name(result) }] : []))
  return [...Map.groupBy(known, ({ tier }) => JSON.stringify(traded(tier))).values()].map((sharing) => {
    const { tier } = sharing[0]!
    const names = [...new Set(sharing.map((each) => each.name))]
    const who = names.length > MANY ? `${names.length} configurations` : list(names)
    const which = names.length === 1 && who === tier.name ? '' : `, tier ${tier.name}`
    return `${who}${which}: you lose ${ofTier(tier)}`
  })
}

/** `no function of n8n.`, or all that is lost with it, and its patches. */
export const ofTier = (tier: TierInForce): string =>
  [`${list(tier.givesUp) || 'no function of n8n'}.`, ...patches(tier)].join(' ')

/** Two releases of n8n may well give up the same. */
const traded = ({ chart: _, image: __, ...rest }: TierInForce) => rest

function patches({ name, patches: asked, applied, skipped }: TierInForce): string[] {
  const silent = asked.filter((patch) => !applied.includes(patch) && skipped.every((one) => one.patch !== patch))
  const why = skipped.map(({ patch, reason }) => (reason === null ? patch : `${patch} (${reason})`))
  return [
    ...(applied.length > 0 ? [`Patches in force: ${list(applied)}.`] : []),
    ...(why.length > 0 ? [`Skipped: ${why.join('; ')}.`] : []),
    ...(silent.length > 0 ? [`n8n does not say whether it applied ${list(silent)}.`] : []),
    ...(name === 'patched' && asked.length === 0 ? [none] : []),
  ]
}

const none = 'No patch in force: none was verified on this n8n, or none has anything to do in it.'
