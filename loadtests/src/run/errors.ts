import { exitCodes, failure, invalid, LabError } from '../lib/errors.ts'

/** Reasons why a run ends early. */
export const runErrors = {
  neverCounted: (seconds: number) =>
    invalid(
      'never-counted',
      `Expected n8n to say what it finished, but /metrics did not answer within ${seconds} s.`,
      'n8n may be stuck; its log, in the run’s folder, may say why.',
    ),

  interrupted: (measured: boolean) =>
    failure(
      'interrupted',
      measured ? 'Interrupted: what was measured until now is kept.' : 'Interrupted: nothing was measured yet.',
    ),

  defect: (said: string, details: string, log: string[] = []) =>
    new LabError({
      code: 'defect',
      message: `n8n-tuned itself failed: ${said}. Everything was taken down, and what was measured is kept.`,
      hint: `This is a defect: please report it, with ${details}.`,
      exit: exitCodes.failure,
      log,
    }),
}
