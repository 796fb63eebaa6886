import { isolate } from '../chart/isolate/isolate.ts'
import type { Where } from '../chart/isolate/where.ts'
import { refuseStoresOfOthers } from '../chart/own-stores.ts'
import type { Plan } from '../chart/plan.ts'
import { manifests, render } from '../chart/render.ts'
import type { SetAside } from '../model/environment.ts'
import type { Values } from '../model/experiment.ts'

/** The plan of a cell's values. */
export interface Planned {
  plan: Plan
  /** What of the values the plan does not have, because it would reach beyond the run. */
  setAside: SetAside[]
}

export async function planOf(values: Values, where: Where = {}): Promise<Planned> {
  const isolated = isolate(values, where)
  const plan = await render(isolated.values)
  refuseStoresOfOthers(plan)
  return { plan, setAside: isolated.setAside }
}

/** Asks the chart about values as they were given, where a run does not have all of them. */
export async function refuseAsGiven(values: Values): Promise<void> {
  if (isolate(values).setAside.length) await manifests(values)
}
