import { InvalidArgumentError, Option } from 'commander'
import { nameValue } from '../lib/name-value.ts'
import { configurationErrors } from './configuration-errors.ts'
import type { Load } from '../model/load.ts'

/** Workflows by name, with how often each is called. */
export type Mix = Record<string, number>

export const mixOption = () =>
  new Option(
    '--mix [weights]',
    'load all workflows at once, as one mix; each as often as the others, or as orders=3,nightly=0.1 says',
  ).argParser(parseMix)

/** Commander calls it only if there is a text. */
function parseMix(text: string): Mix {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name, value = ''] = nameValue(part)
      const weight = Number(value)
      if (!name || !(weight > 0))
        throw new InvalidArgumentError(`Expected weights such as orders=3,nightly=0.1, got "${part}".`)
      return [name, weight]
    }),
  )
}

/** The load, over all workflows at once where that is asked. */
export function asMix(load: Load, mix: Mix | true | undefined): Load {
  if (mix === undefined) return load
  const weights = mix === true ? {} : mix
  switch (load.shape) {
    case 'search':
    case 'mixed':
      return { ...load, weights: { ...load.weights, ...weights } }
    case 'constant':
      return { ...load, shape: 'mixed', weights }
    default:
      throw configurationErrors.unmixable(load.shape)
  }
}
