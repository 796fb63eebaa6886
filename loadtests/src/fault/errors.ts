import { invalid } from '../errors.ts'

/** Why the outcome of a fault cannot be told. */
export const outcomeErrors = {
  executionsUnseen: () =>
    invalid(
      'executions-unseen',
      'Expected n8n’s database to say what became of the requests after the fault, got no answer.',
      'Look whether the database is back: its log is in the run’s folder.',
    ),
}
