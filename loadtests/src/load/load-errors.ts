import { invalid } from '../lib/errors.ts'

/** Why a load ended early. */
export const loadErrors = {
  generatorFailed: (code: string, log: string[]) =>
    invalid(
      'generator-failed',
      `Expected k6 to finish its step, but it ended with ${code}.`,
      'The last lines of k6’s log say why.',
      log,
    ),

  generatorLost: (by: string, log: string[]) =>
    invalid(
      'generator-lost',
      `Expected k6 to finish its step, but it was ended from outside: ${by}.`,
      'A machine or a pod without memory ends its largest process: give the generator more of it, or lower the rate.',
      log,
    ),
}
