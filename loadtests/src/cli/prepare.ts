import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import { parseDocument } from 'yaml'
import { findRequest } from '../baseline/request.ts'
import { errors, type Place } from '../errors.ts'
import { paths } from '../paths.ts'
import type { Experiment, Load, Values } from '../profile/experiment.ts'
import { loadProfile, type Profile } from '../profile/load.ts'
import { syntaxError } from '../profile/yaml.ts'
import { findWorkflow, type Workflow } from '../profile/workflow.ts'
import { mergeValues } from '../values.ts'
import type { CommonOptions } from './options.ts'

export interface Prepared {
  profile: Profile
  experiment: Experiment
  workflows: Workflow[]
  /** What --set and --values gave, to tell it from what the profile says. */
  given: { set: Values; values: Values }
}

/** The profile with the command line's wishes laid over it, all of it checked before anything starts. */
export async function prepare(options: CommonOptions): Promise<Prepared> {
  const profile = await loadProfile(await profileFile(options.profile))
  const values = mergeValues(...(await Promise.all(options.values.map(readValues))))
  const set = mergeValues(options.set, options.balancer ? { lab: { balancer: options.balancer } } : {})
  const { base, variants, ...rest } = profile.experiment
  const experiment: Experiment = {
    ...rest,
    base: mergeValues(base, values),
    variants: variants.map((variant) => ({ name: variant.name, values: mergeValues(variant.values, set) })),
    load: options.quick ? quicker(rest.load) : rest.load,
    slo: { ...rest.slo, ...options.slo },
    repeat: options.repeat ?? rest.repeat,
    workflows: options.workflow.length ? options.workflow : rest.workflows,
  }
  const places = experiment.workflows.map((_, index): Place => (options.workflow.length ? { file: '--workflow', line: null } : profile.locate(['workflows', index])))
  const workflows = await Promise.all(experiment.workflows.map((name, index) => (experiment.plan === 'server' ? requestOf(name, places[index]!) : findWorkflow(name, places[index]!))))
  return { profile, experiment: { ...experiment, workflows: workflows.map(({ name }) => name) }, workflows, given: { set, values } }
}

/** What a bare server is asked stands where a workflow does; there is nothing to import. */
function requestOf(name: string, place: Place): Workflow {
  const request = findRequest(name)
  if (!request) throw errors.unknownRequest(place, name)
  return { name, id: name, file: '', webhook: request, needsNodes: false }
}

async function profileFile(name: string): Promise<string> {
  const known = await bundledProfiles()
  if (known.includes(name)) return relative('.', join(paths.profiles, `${name}.yaml`))
  if (existsSync(name)) return name
  throw errors.unknownProfile(name, known)
}

export async function bundledProfiles(): Promise<string[]> {
  return (await readdir(paths.profiles)).filter((file) => extname(file) === '.yaml').map((file) => basename(file, '.yaml')).sort()
}

export async function readValues(file: string): Promise<Values> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw errors.unreadableFile(file, error.code ?? error.message)
  })
  const document = parseDocument(text)
  const syntax = syntaxError(document)
  if (syntax) throw errors.badValues({ file, line: syntax.line }, syntax.text)
  const values: unknown = document.toJS() ?? {}
  if (typeof values !== 'object' || Array.isArray(values)) throw errors.badValues({ file, line: 1 }, `${JSON.stringify(values)}.`)
  return values as Values
}

/** Good enough to see a large difference, in a third of the time. */
function quicker(load: Load): Load {
  if (load.shape === 'search') return { ...load, step: Math.max(5, load.step / 2), precision: Math.max(0.1, load.precision) }
  return { ...load, duration: Math.max(10, load.duration / 3) }
}
