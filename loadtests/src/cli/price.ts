import { InvalidArgumentError } from 'commander'
import { nameValue } from '../lib/name-value.ts'
import type { Price } from '../model/experiment.ts'

export function parsePrice(text: string): Partial<Price> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name, value = ''] = nameValue(part)
      const price = value.trim() === '' ? NaN : Number(value)
      if (!['cpu', 'memory'].includes(name) || !(price >= 0))
        throw new InvalidArgumentError(`Expected cpu=23 or memory=3, got "${part}".`)
      return [name, price]
    }),
  )
}
