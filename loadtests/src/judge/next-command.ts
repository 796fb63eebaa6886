import type { ConfigurationAnswer, Why } from '../model/answer.ts'
import { reasonMeaning } from '../model/step.ts'
import type { Summary } from '../model/summary.ts'

/** The command that would decide an answer, as the record writes commands; null where none would. */
export function nextFor(
  why: Why | null,
  configurations: ConfigurationAnswer[],
  { id, command: given, experiment, gate }: Pick<Summary, 'id' | 'command' | 'experiment' | 'gate'>,
): string | null {
  // What a run wrote is not written over, so the next one has a folder of its own.
  const command = given.replace(out, '')
  const searched = experiment.load.shape === 'search'
  const isCheck = command.startsWith('n8n-tuned check')
  switch (why && (reasonMeaning(why).remedy ?? why)) {
    case 'quiet':
    case 'machine-changed':
    case 'machines-differ':
      return adding(command, '--when-quiet')
    case 'again':
    case 'fault-unknown':
      return command
    case 'longer':
    case 'chance':
    case 'hold-too-short':
      if (isCheck) return setting(command, '--hold', '10m')
      return experiment.enough || searched ? setting(setting(command, '--within', '5%'), '--budget', '1h') : command
    case 'in-the-interval':
      return experiment.need === undefined ? command : asCheck(command, configurations, experiment.need)
    case 'gate-open':
      if (gate?.verdicts.some(({ without }) => without === 'cpu-unseen') && experiment.load.shape === 'constant')
        return setting(command, '--rate', String(2 * experiment.load.rate))
      return setting(setting(command, '--within', '5%'), '--budget', '1h')
    case 'no-clear-difference':
      return setting(setting(command, '--within', '5%'), '--budget', '1h')
    case 'worth-open':
      return setting(command, '--repeat', String(2 * Math.max(2, experiment.repeat)))
    case 'objective-cannot-hold': {
      const fits = configurations.flatMap(({ objective }) => objective ?? [])
      return fits.length > 0 ? setting(command, '--slo', `p95=${Math.max(...fits)}ms`) : command
    }
    case 'interrupted':
    case 'not-reached':
      return setting(command, '--resume', out.exec(given)?.[1] ?? `results/${id}`)
    default:
      return null
  }
}

const out = / --out[ =]('[^']*'|\S+)/

const adding = (command: string, option: string): string =>
  command.includes(option) ? command : `${command} ${option}`

/** In place of the value that it has there. */
const setting = (command: string, option: string, value: string): string =>
  `${command.replace(new RegExp(` ${option}[ =]('[^']*'|\\S+)`), '')} ${option} ${value}`

/** One rate of one configuration, driven itself. */
function asCheck(command: string, configurations: ConfigurationAnswer[], rate: number): string {
  const chosen = configurations.find((one) => one.chosen)
  const check = command.replace(/^n8n-tuned \S+/, 'n8n-tuned check').replace(/ --need[ =]\S+/, '')
  const named = command.startsWith('n8n-tuned check') || !chosen ? check : setting(check, '--variant', chosen.variant)
  return setting(setting(named, '--rate', String(rate)), '--hold', '10m')
}
