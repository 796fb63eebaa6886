import { costOf } from '../chart/cost.ts'
import type { Where } from '../chart/isolate/where.ts'
import type { Plan } from '../chart/plan.ts'
import { valuesNamed, ValuesRefused } from '../chart/render.ts'
import type { Location } from '../lib/errors.ts'
import { product } from '../run/cells.ts'
import { planOf, refuseAsGiven } from '../run/plan.ts'
import { atPath, mergeValues } from '../lib/values.ts'
import { nameOf } from '../lib/figures.ts'
import { refusalOfN8n } from '../targets/local/images/n8n.ts'
import { packagesOf } from '../workload/workflow.ts'
import { configurationErrors } from './configuration-errors.ts'
import type { Prepared } from './prepare.ts'
import type { Values } from '../model/experiment.ts'

/**
 * Asks the chart about every variant in every cell of the matrix. For a refused value, points at
 * the line of the profile. Returns the plans.
 */
export async function refuseBadValues(
  prepared: Prepared,
  { priced = false, asProcesses = false }: { priced?: boolean; asProcesses?: boolean } = {},
): Promise<Plan[]> {
  const plans: Plan[] = []
  const { base, variants, matrix, price } = prepared.experiment
  for (const { name, values } of variants) {
    for (const cell of product(matrix)) {
      const inCell = Object.entries(cell).map(([path, value]) => atPath(path, value))
      const given = mergeValues(base, values, ...inCell)
      const where: Where = { images: asProcesses ? 'installed' : 'pulled', packages: packagesOf(prepared.workflows) }
      const { plan } = await refuseAsGiven(given)
        .then(() => planOf(given, where))
        .catch((error: unknown) => {
          throw error instanceof ValuesRefused
            ? configurationErrors.valuesRefused(locationOf(error.message, name, prepared), error.message)
            : error
        })
      const refusal = asProcesses && (await refusalOfVersion(plan))
      if (refusal) throw configurationErrors.unknownVersion(locationOf('image.tag: ', name, prepared), refusal)
      plans.push(plan)
      if (priced && costOf(plan, price) === null) throw configurationErrors.noPrice(nameOf({ variant: name, cell }))
    }
  }
  return plans
}

/** Why an n8n of the plan cannot be installed on this machine; null if each can. */
async function refusalOfVersion({ workloads }: Plan): Promise<string | null> {
  const images = workloads.flatMap(({ containers }) => containers.map(({ image }) => image))
  const tags = new Set(images.filter(({ repository }) => repository.split('/').at(-1) === 'n8n').map(({ tag }) => tag))
  for (const tag of tags) {
    const refusal = await refusalOfN8n(tag, (line) => void process.stderr.write(`${line}\n`))
    if (refusal) return refusal
  }
  return null
}

/** Where the first of the refused values was given. Later sources override earlier ones. */
function locationOf(refusal: string, variant: string, { profile, given }: Prepared): Location {
  for (const path of valuesNamed(refusal)) {
    if (profile.has(['matrix', path.join('.')])) return profile.locate(['matrix', path.join('.')])
    if (holds(given.set, path)) return { file: '--set', line: null }
    if (profile.has(['variants', variant, ...path])) return profile.locate(['variants', variant, ...path])
    if (holds(given.values, path)) return { file: '--values', line: null }
    if (profile.has(['base', ...path])) return profile.locate(['base', ...path])
  }
  return profile.locate([])
}

function holds(values: unknown, [key, ...rest]: string[]): boolean {
  if (key === undefined) return true
  return typeof values === 'object' && values !== null && key in values && holds((values as Values)[key], rest)
}
