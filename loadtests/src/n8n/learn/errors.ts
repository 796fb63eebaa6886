import { usage } from '../../lib/errors.ts'

/** Reasons why nothing can be learned. No message contains a key. */
export const learnErrors = {
  noKey: () =>
    usage(
      'no-api-key',
      'Expected a key of n8n’s public API in N8N_API_KEY or in the file of --key-file, got none.',
      'Make one in n8n under Settings, n8n API, with the scopes workflow:list, workflow:read, execution:list '
        + 'and execution:read.',
    ),

  badKey: (url: string) =>
    usage(
      'bad-api-key',
      `Expected ${url} to take the key, got 401.`,
      'Check that the key is complete, has not expired and belongs to this n8n.',
    ),

  noRights: (url: string, list: string) =>
    usage(
      'no-rights',
      `Expected the key to be allowed to list ${list} of ${url}, got 403.`,
      'Give it the scopes workflow:list, workflow:read, execution:list and execution:read, or make another.',
    ),

  noApi: (url: string, got: string | number) =>
    usage(
      'no-api',
      `Expected n8n’s public API below ${url}, got ${got}.`,
      'Give the URL under which n8n’s editor opens; N8N_PUBLIC_API_DISABLED must not be set there.',
    ),

  n8nUnreachable: (url: string, reason: string) =>
    usage(
      'unreachable',
      `Expected ${url} to answer, got ${reason}.`,
      'Check the URL, and that this machine may reach it.',
    ),

  noHistory: (url: string, days: number) =>
    usage(
      'no-history',
      `Expected executions by webhook within ${days} days on ${url}, got none.`,
      'Raise --days, or let n8n keep executions for a while: EXECUTIONS_DATA_SAVE_ON_SUCCESS=all and a '
        + 'longer EXECUTIONS_DATA_MAX_AGE.',
    ),
}
