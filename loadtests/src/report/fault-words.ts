import { latency } from '../lib/figures.ts'
import type { FaultEffects, MissingEffects } from '../model/fault.ts'

/** The effects of a fault, in a sentence. */
export function faultInWords({ fault, fate, service, broken }: FaultEffects): string {
  const failed = fate.failed.length ? `, ${fate.failed.length} ended in an error` : ''
  const unknown = fate.unknown?.length ?? 0
  const hidden = unknown ? `, ${unknown} ended in a way that n8n was told not to keep` : ''
  const refused = fate.refused ? `, ${fate.refused} refused` : ''
  const back =
    service.back === null
      ? 'Service was not back in the time looked at'
      : `Service was back ${service.back} s after its end`
  const during = service.p99 ? ` The p99 during the fault was ${latency(service.p99)}.` : ''
  const verdict = broken.length ? `Broken: ${broken.join(', ')}.` : unknown ? 'No loss is known.' : 'Nothing was lost.'
  return (
    `${fault}: ${fate.accepted} of ${fate.sent} requests accepted${refused}, `
    + `${fate.once} executed once${failed}${hidden}. `
    + `${back}, without any answer for ${service.gap.toFixed(1)} s at most.${during} ${verdict}`
  )
}

/** A fault whose effects are not known, in a sentence. */
export const missingInWords = ({ fault, message }: MissingEffects): string =>
  `${fault}: its effects are not known. ${message}`

/** The requests, by the ids of their executions in n8n; without an execution, by their own ids. */
export function names({ fate }: FaultEffects, most = 10): string[] {
  const kinds = [
    ['lost', fate.lost],
    ['executed twice', fate.twice],
    ['stuck', fate.stuck],
    ['ended in an error', fate.failed],
    ['ended in an unknown way', fate.unknown ?? []],
    ['not accepted, and executed', fate.unasked],
  ] as const
  return kinds
    .filter(([, some]) => some.length)
    .map(([kind, some]) => {
      const told = some
        .slice(0, most)
        .map(({ request, executions }) => (executions.length ? `execution ${executions.join(' and ')}` : request))
      return `${kind}: ${told.join(', ')}${some.length > most ? ` and ${some.length - most} more` : ''}`
    })
}
