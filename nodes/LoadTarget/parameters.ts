import type { INodeProperties } from 'n8n-workflow'

import type { Task } from './task'

interface NumberRules {
  name: string
  /** Its name in the editor, for messages. */
  label: string
  min: number
  max: number
  integer?: boolean
  /** A larger number is probably a slip and could bring the host down, so it needs Allow Large Amounts. */
  large?: number
}

/** Reads a number, also from text such as a query parameter's. */
export function getNumber(task: Task, { name, label, min, max, integer, large = max }: NumberRules): number {
  const value = task.get(name)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  const expected = `Expected ${label} to be ${integer ? 'a whole number' : 'a number'} from ${min} to`
  if (typeof number !== 'number' || !(number >= min && number <= max) || (integer && !Number.isInteger(number))) {
    throw new Error(`${expected} ${max}, got ${show(value)}`)
  }
  if (number > large && task.get(allowLarge.name) !== true) {
    throw new Error(`${expected} ${large} unless Allow Large Amounts is on, got ${show(value)}`)
  }
  return number
}

/** Reads a choice from a list; an expression or an edited file may have another value. */
export function getChoice<T extends string>(task: Task, name: string, label: string, choices: readonly T[]): T {
  const value = task.get(name)
  const choice = choices.find((one) => one === value)
  if (choice === undefined) {
    throw new Error(`Expected ${label} to be one of ${choices.join(', ')}, got ${show(value)}`)
  }
  return choice
}

/** For every operation that can bring the host down. */
export const allowLarge: INodeProperties = {
  displayName: 'Allow Large Amounts',
  name: 'allowLarge',
  type: 'boolean',
  default: false,
  description: 'Whether amounts are allowed that can take the host down',
}

const show = (value: unknown) => (typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing'))
