import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, Help, type Option } from 'commander'
import { addCheck } from './cli/check.ts'
import { addCompare } from './cli/compare.ts'
import { addCompletion } from './cli/completion.ts'
import { addConvert } from './cli/convert.ts'
import { addDoctor } from './cli/doctor.ts'
import { addEcosystem } from './cli/ecosystem.ts'
import { addHook } from './cli/hook.ts'
import { addInit } from './cli/init.ts'
import { addLearn } from './cli/learn.ts'
import { addList } from './cli/list.ts'
import { addPlan } from './cli/plan.ts'
import { addReport } from './cli/report.ts'
import { addSize } from './cli/size.ts'
import { addTune } from './cli/tune.ts'
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

/** Every verb of `n8n-tuned`; those that measure report how they ended. */
export function createProgram(end: (code: ExitCode) => void): Command {
  const program = new Command('n8n-tuned')
    .description('How many requests per second does an n8n sustain, and which settings take it there?')
    .version(version)
    .configureHelp({ optionDescription: described })
    .showHelpAfterError('(./n8n-tuned --help lists the commands and their options)')
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 objective met, 1 a failure of ours, 2 usage or bad profile, 3 objective missed, 4 '
        + 'not measured, or not sure.',
    )

  addCheck(program, end)
  addCompare(program, end)
  addSize(program, end)
  addTune(program, end)
  addDoctor(program, end)
  addHook(program, end)
  addReport(program)
  addPlan(program)
  addEcosystem(program)
  addInit(program)
  addLearn(program, end)
  addConvert(program)
  addList(program)
  addCompletion(program)
  return program
}
