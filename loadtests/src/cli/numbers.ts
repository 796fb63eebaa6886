import { InvalidArgumentError } from 'commander'

export function positiveInteger(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError(`Expected a whole number from 1, got "${text}".`)
  return value
}

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError(`Expected a number above 0, got "${text}".`)
  return value
}
