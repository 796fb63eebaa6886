import { invalid } from '../lib/errors.ts'

/** Why a fault or its outcome cannot be told. */
export const outcomeErrors = {
  redisUnanswered: (command: string, seconds: number) =>
    invalid(
      'redis-unanswered',
      `Expected Redis to take ${command} within ${seconds} s, got no answer: the fault did not begin.`,
      'Look whether Redis runs: its log is in the run’s folder.',
    ),

  executionsUnseen: (reason: string) =>
    invalid(
      'executions-unseen',
      `Expected n8n’s database to say what became of the requests after the fault, got no answer: ${reason}.`,
      'Look whether the database is back: its log is in the run’s folder.',
    ),
}
