import { existsSync } from 'node:fs'
import type { CommonOptions } from './options.ts'
import { loadOutside, type Outside, type OutsideOrder } from '../model/outside.ts'
import { usage } from '../lib/errors.ts'

type Options = Pick<CommonOptions, 'target' | 'outside' | 'recordOutside' | 'allowOutside'>

/**
 * How calls to the outside are answered: by a mock for workflows that may call services, and wherever the user asks
 * for one. Null if they call the real services.
 */
export async function outsideOf(
  profile: Outside | undefined,
  callServices: boolean,
  options: Options,
): Promise<OutsideOrder | null> {
  const { target, outside, recordOutside, allowOutside } = options
  const asked = outside !== undefined || recordOutside !== undefined
  if (target instanceof URL && (asked || profile)) throw outsideElsewhere('the URL of one that runs already')
  if (target === 'kubernetes' && recordOutside !== undefined) throw recordedElsewhere()
  if (target instanceof URL || allowOutside) return null
  if (!callServices && !asked && !profile) return null
  const given = outside === undefined ? profile : await loadOutside(outside)
  const recorded = await Promise.all(
    [given?.recorded, recordOutside]
      .filter((file) => file !== undefined && (file !== recordOutside || existsSync(file)))
      .map((file) => loadOutside(file!)),
  )
  const all = [...(given ? [given] : []), ...recorded]
  return {
    rules: all.flatMap(({ rules }) => rules),
    allow: all.flatMap(({ allow }) => allow),
    record: recordOutside ?? null,
    // In a cluster, what the workflows ask for is told by their hosts alone.
    ...(target === 'kubernetes' && { hints: [] }),
  }
}

/** A warning, before real services get thousands of calls. */
export function outsideWarnings(
  order: OutsideOrder | null,
  callServices: boolean,
  { target, allowOutside }: Options,
): string[] {
  if (order?.record)
    return [
      `The real services are asked once for each kind of call, and what they answer is written to ${order.record}.`,
    ]
  if (order || !callServices) return []
  if (allowOutside) return ['Each execution calls the real services: with --allow-outside nothing is mocked.']
  return target instanceof URL
    ? ['Each execution calls the real services: the lab mocks none of an n8n that it does not start.']
    : []
}

const recordedElsewhere = () =>
  usage(
    'recorded-elsewhere',
    'Expected --record-outside with an n8n that the lab starts on this machine (--target local), got a cluster.',
    'Record there, and give the file that it writes with --outside.',
  )

const outsideElsewhere = (got: string) =>
  usage(
    'outside-elsewhere',
    `Expected outside, --outside or --record-outside with an n8n that the lab starts, got ${got}.`,
    'Leave it out, and know that each execution calls the real services there; or measure the same values '
      + 'with --target local.',
  )
