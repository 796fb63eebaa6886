import type { Command } from 'commander'
import { withoutSecretArguments } from '../secret/arguments.ts'
import { shellWord } from '../lib/shell.ts'

/** The command as the user typed it, without its secrets: a shell reads it as the same arguments. */
export function commandLine(command: Command): string {
  const { rawArgs } = command.parent as unknown as { rawArgs: string[] }
  return ['n8n-tuned', ...withoutSecretArguments(rawArgs.slice(2)).map(shellWord)].join(' ')
}
