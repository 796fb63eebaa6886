import type { IExecuteFunctions } from 'n8n-workflow'

interface NumberRules {
  name: string
  /** What the editor calls it, for the message. */
  label: string
  min: number
  max: number
  integer?: boolean
}

/** Reads a number, which may have come from an expression and so may be anything, such as the text of a query parameter. */
export function getNumber(context: IExecuteFunctions, index: number, { name, label, min, max, integer }: NumberRules): number {
  const value: unknown = context.getNodeParameter(name, index)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !(number >= min && number <= max) || (integer && !Number.isInteger(number))) {
    throw new Error(`Expected ${label} to be ${integer ? 'a whole number' : 'a number'} from ${min} to ${max}, got ${show(value)}`)
  }
  return number
}

/** Reads a choice out of a list, which an expression or an edited file can miss. */
export function getChoice<T extends string>(context: IExecuteFunctions, index: number, name: string, label: string, choices: readonly T[]): T {
  const value: unknown = context.getNodeParameter(name, index)
  const choice = choices.find((one) => one === value)
  if (choice === undefined) {
    throw new Error(`Expected ${label} to be one of ${choices.join(', ')}, got ${show(value)}`)
  }
  return choice
}

const show = (value: unknown) => (typeof value === 'number' ? String(value) : JSON.stringify(value) ?? 'nothing')
