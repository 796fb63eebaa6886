import { Argument, type Command, type Option } from 'commander'

/** Scripts that complete verbs, options and their choices, made from the options that the verbs have. */

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .summary('a script that completes its commands in bash, zsh or fish')
    .description('Prints a script for your shell. It completes verbs, their options, and what an option may be.')
    .addArgument(new Argument('<shell>', 'which one').choices(shells))
    .addHelpText(
      'after',
      '\nExample:\n  ./n8n-tuned completion bash >~/.local/share/bash-completion/completions/n8n-tuned\n  '
        + './n8n-tuned completion zsh >"${fpath[1]}/_n8n-tuned"\n  '
        + './n8n-tuned completion fish >~/.config/fish/completions/n8n-tuned.fish',
    )
    .action((shell: Shell) => void process.stdout.write(completionFor(shell, program)))
}

export const completionFor = (shell: Shell, program: Command): string => scripts[shell](program)

const scripts: Record<Shell, (program: Command) => string> = {
  bash: (program) => `# n8n-tuned in bash\n${inBash(program)}complete -o default -F _n8n_tuned n8n-tuned ./n8n-tuned\n`,
  // zsh reads functions of bash.
  zsh: (program) =>
    '#compdef n8n-tuned\nautoload -U +X bashcompinit && bashcompinit\n'
    + `${inBash(program)}complete -o default -F _n8n_tuned n8n-tuned\n`,
  fish: inFish,
}

const longs = (verb: Command): Option[] =>
  verb
    .createHelp()
    .visibleOptions(verb)
    .filter(({ long }) => long)

/** What may stand behind an option; files where it is a file or nothing is known. */
const choicesOf = (option: Option): string[] =>
  option.argChoices ?? (option.long === '--target' ? ['local', 'kubernetes'] : [])

function inBash(program: Command): string {
  const verbs = program.commands.map((verb) => {
    const options = longs(verb)
    const choices = options.filter((option) => choicesOf(option).length)
    const cases = choices.map(
      (option) => `    ${verb.name()},${option.long}) words='${choicesOf(option).join(' ')}' ;;\n`,
    )
    const all = options.map(({ long }) => long).join(' ')
    return `${cases.join('')}    ${verb.name()},*) [[ $now != -* ]] || words='${all}' ;;\n`
  })
  const names = program.commands.map((verb) => verb.name()).join(' ')
  return `_n8n_tuned() {
  local now=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=
  if [ "$COMP_CWORD" = 1 ]; then words='${names}'; else case "\${COMP_WORDS[1]},$before" in
${verbs.join('')}  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$now"))
}
`
}

function inFish(program: Command): string {
  const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
  const line = (condition: string, rest: string) => `complete -c n8n-tuned -n ${quoted(condition)} ${rest}\n`
  return program.commands
    .flatMap((verb) => [
      line('__fish_use_subcommand', `-f -a ${verb.name()} -d ${quoted(verb.summary())}`),
      ...longs(verb).map((option) => {
        const choices = choicesOf(option)
        const takes = choices.length ? ` -x -a ${quoted(choices.join(' '))}` : option.required ? ' -r' : ''
        return line(
          `__fish_seen_subcommand_from ${verb.name()}`,
          `-l ${option.long!.slice(2)}${takes} -d ${quoted(option.description)}`,
        )
      }),
    ])
    .join('')
}
