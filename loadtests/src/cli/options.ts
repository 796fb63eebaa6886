import { InvalidArgumentError, Option, type Command } from 'commander'
import { parse } from 'yaml'
import { parseDuration, parseShare } from '../profile/units.ts'
import type { Slo, Values } from '../profile/experiment.ts'
import type { BalancerKind } from '../target/target.ts'
import { atPath, mergeValues } from '../values.ts'

/** What every measuring verb takes. */
export interface CommonOptions {
  profile: string
  target: 'local'
  values: string[]
  set: Values
  slo?: Partial<Slo>
  workflow: string[]
  repeat?: number
  out?: string
  balancer?: BalancerKind
  quick?: true
  json?: true
}

export function withCommonOptions(command: Command, profile: string): Command {
  return command
    .option('--profile <name|file>', 'the experiment', profile)
    .addOption(new Option('--target <target>', 'where n8n runs').choices(['local']).default('local'))
    .option('--values <file>', 'Helm values under every variant; may be given again', collect, [])
    .option('--set <key=value>', 'one Helm value, over all but a matrix; may be given again', setValue, {})
    .addOption(new Option('--balancer <balancer>', 'what stands before several replicas on one machine; short for --set lab.balancer').choices(['node', 'nginx', 'iptables']))
    .option('--slo <objective>', 'for example p95=500ms,errors=0.1%,backlog=5%', parseSlo)
    .option('--workflow <name|file>', 'instead of the profile’s; may be given again', collect, [])
    .option('--repeat <times>', 'measure everything this often', positiveInteger)
    .option('--out <dir>', 'folder of the results (default: results/<time>-<profile>)')
    .option('--quick', 'shorter steps and a coarser search')
    .option('--json', 'print summary.json instead of words')
}

const collect = (value: string, all: string[]) => [...all, value]

function setValue(text: string, all: Values): Values {
  const [, path, value] = /^([^=.]+(?:\.[^=.]+)*)=(.*)$/s.exec(text) ?? []
  if (path === undefined) throw new InvalidArgumentError(`Expected key=value, got "${text}".`)
  return mergeValues(all, atPath(path, asYaml(value!)))
}

function asYaml(text: string): unknown {
  try {
    return parse(text)
  } catch {
    throw new InvalidArgumentError(`Expected its value to be YAML, got "${text}".`)
  }
}

export function parseSlo(text: string): Partial<Slo> {
  return Object.fromEntries(text.split(',').map(objective))
}

function objective(part: string): [keyof Slo, number] {
  const [name = '', value = ''] = part.split('=')
  const parsed = name === 'p95' ? parseDuration(value) : name === 'errors' || name === 'backlog' ? parseShare(value) : undefined
  if (parsed === undefined || (name === 'p95' && parsed === 0)) throw new InvalidArgumentError(`Expected p95=500ms, errors=0.1% or backlog=5%, got "${part}".`)
  return [name as keyof Slo, parsed]
}

export function positiveInteger(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError(`Expected a whole number from 1, got "${text}".`)
  return value
}

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError(`Expected a number above 0, got "${text}".`)
  return value
}
