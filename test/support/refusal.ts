import { LabError } from '../../loadtests/src/lib/errors.ts'

/** The error that the user gets. A test that expects one fails if there is none, or if it is a bug of the lab. */
export async function refusalOf(attempt: () => unknown): Promise<LabError> {
  try {
    await attempt()
  } catch (error) {
    if (error instanceof LabError) return error
    throw error
  }
  throw new Error('Expected a LabError, got none')
}
