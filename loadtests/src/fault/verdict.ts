import type { Fate, Service } from '../model/fault.ts'

/** Service must be back within this many seconds after a fault's end. */
export const patience = 60
/**
 * Seconds after which a request without an answer, or an execution without an end, counts as such. Bull gives up the
 * job of a dead worker within two minutes, and only then does its caller get an answer.
 */
export const outcomePatience = 150

/** What should have held and broke under a fault, in words; empty where everything held. */
export function brokenBy({ lost, twice, stuck, unanswered }: Fate, { back }: Service): string[] {
  return [
    ...(lost.length ? [`${lost.length} accepted ${plural(lost.length, 'request')} lost`] : []),
    ...(twice.length ? [`${twice.length} ${plural(twice.length, 'request')} executed twice`] : []),
    ...(stuck.length ? [`${stuck.length} ${plural(stuck.length, 'execution')} stuck`] : []),
    ...(unanswered ? [`${unanswered} ${plural(unanswered, 'request')} unanswered`] : []),
    ...(back === null || back > patience ? [`service not back within ${patience} s`] : []),
  ]
}

const plural = (count: number, noun: string) => (count === 1 ? noun : `${noun}s`)
