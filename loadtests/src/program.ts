import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, Help, type Option } from 'commander'
import type { ExitCode } from './lib/errors.ts'
import { root } from './lib/paths.ts'

const { version } = JSON.parse(readFileSync(join(root, 'loadtests/package.json'), 'utf8')) as { version: string }

/** A default that is nothing goes without saying. */
const described = (option: Option): string => {
  const { defaultValue } = option as { defaultValue?: unknown }
  const nothing = typeof defaultValue === 'object' && defaultValue !== null && Object.keys(defaultValue).length === 0
  const shown = nothing ? Object.assign(Object.create(option) as Option, { defaultValue: undefined }) : option
  return new Help().optionDescription(shown)
}

type End = (code: ExitCode) => void
type Add = (program: Command, end: End) => void

/** In the order of the help. Each is read when it is called: all of them together take seconds on a busy machine. */
const verbs: Record<string, () => Promise<Add>> = {
  check: async () => (await import('./cli/check.ts')).addCheck,
  compare: async () => (await import('./cli/compare.ts')).addCompare,
  size: async () => (await import('./cli/size.ts')).addSize,
  tune: async () => (await import('./cli/tune.ts')).addTune,
  doctor: async () => (await import('./cli/doctor.ts')).addDoctor,
  hook: async () => (await import('./cli/hook.ts')).addHook,
  report: async () => (await import('./cli/report.ts')).addReport,
  plan: async () => (await import('./cli/plan.ts')).addPlan,
  ecosystem: async () => (await import('./cli/ecosystem.ts')).addEcosystem,
  alerts: async () => (await import('./cli/alerts.ts')).addAlerts,
  init: async () => (await import('./cli/init.ts')).addInit,
  learn: async () => (await import('./cli/learn.ts')).addLearn,
  convert: async () => (await import('./cli/convert.ts')).addConvert,
  list: async () => (await import('./cli/list.ts')).addList,
  completion: async () => (await import('./cli/completion.ts')).addCompletion,
}

/** What these words may need; a completion is of all verbs. */
function neededFor([first]: string[]): (() => Promise<Add>)[] {
  if (first === '--version' || first === '-V') return []
  const isVerb = first !== undefined && first !== 'completion' && Object.hasOwn(verbs, first)
  return isVerb ? [verbs[first]!] : Object.values(verbs)
}

/** The command, with the verbs that these words may need, or with all; those that measure report how they ended. */
export async function createProgram(end: End, words: string[] = []): Promise<Command> {
  const program = new Command('n8n-tuned')
    .description('How many requests per second does an n8n sustain, and which settings take it there?')
    .version(version)
    .configureHelp({ optionDescription: described })
    .showHelpAfterError('(./n8n-tuned --help lists the commands and their options)')
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 objective met, 1 a failure of ours, 2 usage or bad profile, 3 objective missed, 4 '
        + 'not measured, or not sure, 130 Ctrl-C, 143 SIGTERM.',
    )

  for (const add of await Promise.all(neededFor(words).map((read) => read()))) add(program, end)
  return program
}
