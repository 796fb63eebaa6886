import { readFile } from 'node:fs/promises'
import { LineCounter, parseDocument } from 'yaml'
import type { Location } from '../../lib/errors.ts'
import { profileErrors } from './errors.ts'
import type { Experiment } from './experiment.ts'
import { lineOf, type Path } from './lines.ts'
import type { Outside } from './outside.ts'
import { refusalOf } from './refusal.ts'
import { profileSchema } from './schema.ts'
import { syntaxError } from './yaml.ts'

/** A profile, with a function that finds the line of each key in its file. */
export interface Profile {
  experiment: Experiment
  /** The requests to each of its workflows, as given. Never recorded, since they may contain secrets. */
  requests: unknown[]
  /** The stand-in for the services that its workflows call. Never recorded, for the same reason. */
  outside: Outside | undefined
  locate(path: Path): Location
  has(path: Path): boolean
}

export async function loadProfile(file: string): Promise<Profile> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw profileErrors.unreadableFile(file, error.code ?? error.message)
  })
  return parseProfile(text, file)
}

export function parseProfile(text: string, file: string): Profile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const locate = (path: Path): Location => ({ file, line: lineOf(document, lines, path) })
  const syntax = syntaxError(document)
  if (syntax)
    throw profileErrors.badProfile(
      { file, line: syntax.line },
      [`Expected YAML, got: ${syntax.text}`],
      'Correct the syntax at that line.',
    )
  const given: unknown = document.toJS()
  const parsed = profileSchema.safeParse(given)
  if (!parsed.success)
    throw refusalOf(parsed.error.issues, given, {
      whole: 'the profile',
      keys: Object.keys(profileSchema.shape),
      page: 'docs/profiles.md',
      locate,
    })
  const { variants, workflows, outside, need, ...rest } = parsed.data
  const own = workflows.flatMap(({ workflow, slo }) => (slo ? [[workflow, slo] as const] : []))
  const named = Object.entries(variants).map(([name, values]) => ({ name, values }))
  return {
    experiment: {
      ...rest,
      ...neededOf(need),
      slo: { ...rest.slo, ...(own.length && { workflows: Object.fromEntries(own) }) },
      workflows: workflows.map(({ workflow }) => workflow),
      variants: named.length ? named : [{ name: rest.name, values: {} }],
    },
    requests: workflows.map(({ request }) => request),
    outside,
    locate,
    has: (path) => document.hasIn(path),
  }
}

function neededOf(need: number | { rate: number; is: string } | undefined): Pick<Experiment, 'need' | 'needIs'> {
  if (need === undefined) return {}
  return typeof need === 'number' ? { need } : { need: need.rate, needIs: need.is }
}
