import { failure, invalid } from '../errors.ts'

/** Reasons why a run ends early. */
export const runErrors = {
  neverCounted: (seconds: number) =>
    invalid(
      'never-counted',
      `Expected n8n to say what it finished, but /metrics did not answer within ${seconds} s.`,
      'n8n may be stuck; its log, in the run’s folder, may say why.',
    ),

  interrupted: () => failure('interrupted', 'Interrupted: what was measured until now is kept.'),
}
