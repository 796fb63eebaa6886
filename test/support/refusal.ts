import { LabError } from '../../loadtests/src/errors.ts'

/** The error that the user gets; a test that expects one fails when there is none, or when it is a defect of ours. */
export async function refusalOf(attempt: () => unknown): Promise<LabError> {
  try {
    await attempt()
  } catch (error) {
    if (error instanceof LabError) return error
    throw error
  }
  throw new Error('Expected a LabError, got none')
}
