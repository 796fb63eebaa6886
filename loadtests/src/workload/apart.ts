import { apart, TooCostly } from '../lib/apart.ts'
import { LabError, usage, type Location } from '../lib/errors.ts'
import type { Workflow } from './open.ts'
import type * as Within from './within.ts'
import type { GivenApart } from './within.ts'

export type { GivenApart }

/** The code, the expressions and the patterns of strangers are read in a process that is ended if it takes too long. */

/** A workflow takes milliseconds, and of the first the second in which all is read that n8n says of its types. */
const budget = { seconds: 5, mebibytes: 400 }

const call = apart<typeof Within>(import.meta.filename, 'within', budget.mebibytes)

/** `findWorkflows`, with a file that takes too long refused. */
export async function readApart(
  name: string,
  location: Location,
  given: GivenApart,
  seconds = budget.seconds,
): Promise<Workflow[]> {
  try {
    return await call(seconds, 'findWithin', name, location, given)
  } catch (error) {
    throw error instanceof TooCostly ? costly(name, seconds) : error
  }
}

const costly = (name: string, seconds: number) =>
  usage(
    costlyCode,
    `${name}: Expected to read it within ${seconds} s and ${budget.mebibytes} MiB of memory, and its code or its `
      + 'expressions take more. It was left, and nothing was started.',
    'Look for what repeats itself in its Code nodes and expressions, or load the workflow without the node.',
  )

export const isCostly = (error: unknown) => error instanceof LabError && error.code === costlyCode
const costlyCode = 'costly-workflow'
