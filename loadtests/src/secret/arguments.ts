import { isDeepStrictEqual } from 'node:util'
import { yamlValue } from '../lib/yaml.ts'
import { redacted, withoutForms } from './forms.ts'
import { nameValue } from '../lib/name-value.ts'
import { shellWord } from '../lib/shell.ts'
import { withoutSecrets } from './chart-values.ts'
import { remember, rememberValues } from './known.ts'
import { isTelling } from './secrecy.ts'

/** The command as the user typed it, without its secrets: a shell reads it as the same arguments. */
export const commandLine = (argv: string[]): string =>
  ['n8n-tuned', ...withoutSecretArguments(argv).map(shellWord)].join(' ')

/** The arguments of a command, as they may be shown and kept. */
export function withoutSecretArguments(argv: string[]): string[] {
  return argv.map((argument, index) => {
    if (argv[index - 1] === '--set') return withoutSecretValue(argument)
    if (argument.startsWith('--set=')) return `--set=${withoutSecretValue(argument.slice('--set='.length))}`
    return withoutSecretText(argument)
  })
}

/** `database.password.value=…`, or `database={password: {value: …}}` */
function withoutSecretValue(argument: string): string {
  const [path, text] = nameValue(argument)
  if (text === undefined) {
    remember(argument)
    return redacted
  }
  const value = parsed(text)
  if (value === undefined) {
    remember(text)
    return `${path}=${redacted}`
  }
  rememberValues({ [path]: value })
  const kept = withoutSecrets({ [path]: value })[path]
  if (isDeepStrictEqual(kept, value)) return argument
  return `${path}=${typeof kept === 'string' ? kept : JSON.stringify(kept)}`
}

function parsed(text: string): unknown {
  try {
    return yamlValue(text)
  } catch {
    return undefined
  }
}

/** Of a URL, every value of its query but figures: nobody knows which of them is a key. */
function withoutSecretText(argument: string): string {
  const [option, value] = nameValue(argument)
  if (value && /^--?\w/.test(option) && isTelling(option)) {
    remember(value)
    return `${option}=${redacted}`
  }
  const shown = argument.replace(/(?<=:\/\/[^\s?#]*[?#]\S*?=)[^&#\s]+/g, (text) => {
    if (/^\d{1,6}$/.test(text)) return text
    remember(decoded(text))
    return redacted
  })
  return withoutForms(shown, remember)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
