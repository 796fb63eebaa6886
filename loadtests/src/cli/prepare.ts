import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import { parse } from 'yaml'
import { errors, type Place } from '../errors.ts'
import { paths } from '../paths.ts'
import type { Experiment, Load, Values } from '../profile/experiment.ts'
import { loadProfile, type Profile } from '../profile/load.ts'
import { findWorkflow, type Workflow } from '../profile/workflow.ts'
import { render, ValuesRefused, valuesNamed } from '../chart/render.ts'
import { mergeValues } from '../values.ts'
import type { CommonOptions } from './options.ts'

export interface Prepared {
  profile: Profile
  experiment: Experiment
  workflows: Workflow[]
}

/** The profile with the command line's wishes laid over it, all of it checked before anything starts. */
export async function prepare(options: CommonOptions): Promise<Prepared> {
  const profile = await loadProfile(await profileFile(options.profile))
  const given = await Promise.all(options.values.map(readValues))
  const { base, variants, ...rest } = profile.experiment
  const experiment: Experiment = {
    ...rest,
    base: mergeValues(base, ...given),
    variants: variants.map(({ name, values }) => ({ name, values: mergeValues(values, options.set) })),
    load: options.quick ? quicker(rest.load) : rest.load,
    slo: { ...rest.slo, ...options.slo },
    repeat: options.repeat ?? rest.repeat,
    workflows: options.workflow.length ? options.workflow : rest.workflows,
  }
  const places = experiment.workflows.map((_, index): Place => (options.workflow.length ? { file: '--workflow', line: null } : profile.locate(['workflows', index])))
  const workflows = await Promise.all(experiment.workflows.map((name, index) => findWorkflow(name, places[index]!)))
  return { profile, experiment: { ...experiment, workflows: workflows.map(({ name }) => name) }, workflows }
}

/** Asks the chart about every variant, and points at the line of the profile it refuses. */
export async function refuseBadValues({ experiment, profile }: Prepared): Promise<void> {
  for (const { name, values } of experiment.variants) {
    try {
      await render(mergeValues(experiment.base, values))
    } catch (error) {
      if (!(error instanceof ValuesRefused)) throw error
      throw errors.valuesRefused(placeOf(error.message, name, profile), error.message)
    }
  }
}

/** The deepest of the values named in the refusal that the profile sets. */
function placeOf(refusal: string, variant: string, profile: Profile): Place {
  const candidates = valuesNamed(refusal).flatMap((path) => [['variants', variant, ...path], ['base', ...path]])
  const known = candidates.find((path) => profile.has(path))
  return known ? profile.locate(known) : { file: '--values or --set', line: null }
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

async function readValues(file: string): Promise<Values> {
  try {
    return (parse(await readFile(file, 'utf8')) as Values | null) ?? {}
  } catch (error) {
    throw errors.unreadableFile(file, (error as NodeJS.ErrnoException).code ?? (error as Error).message.split('\n')[0]!)
  }
}

/** Good enough to see a large difference, in a third of the time. */
function quicker(load: Load): Load {
  if (load.shape === 'search') return { ...load, step: Math.max(5, load.step / 2), precision: Math.max(0.1, load.precision) }
  return { ...load, duration: Math.max(10, load.duration / 3) }
}
