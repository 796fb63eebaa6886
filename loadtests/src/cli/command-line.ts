import type { Command } from 'commander'
import { withoutSecret } from '../record/secrets.ts'
import { shellWord } from '../support/shell.ts'

/** The command as the user typed it, without its secrets: a shell reads it as the same arguments. */
export function commandLine(command: Command): string {
  const { rawArgs } = command.parent as unknown as { rawArgs: string[] }
  return ['n8n-tuned', ...rawArgs.slice(2).map(withoutSecret).map(shellWord)].join(' ')
}
