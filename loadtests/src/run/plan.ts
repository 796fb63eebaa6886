import { planServer, ServerRefused } from './baseline/plan.ts'
import { isolate, type SetAside } from '../chart/isolate/isolate.ts'
import type { Where } from '../chart/isolate/where.ts'
import { refuseStoresOfOthers } from '../chart/own-stores.ts'
import type { Plan } from '../chart/plan.ts'
import { manifests, render, ValuesRefused } from '../chart/render.ts'
import type { Experiment, Values } from '../model/profile/experiment.ts'
import type { BalancerKind } from '../targets/target.ts'

/** The plan of a cell's values, without `lab`, which only says how to run the plan. */
export interface Planned {
  plan: Plan
  balancer: BalancerKind
  /** What of the values the plan does not have, because it would reach beyond the run. */
  setAside: SetAside[]
}

export async function planOf(
  kind: Experiment['plan'],
  { lab = {}, ...values }: Values,
  where: Where = {},
): Promise<Planned> {
  const balancer = balancerIn(lab as Values)
  if (kind === 'server') return { plan: planServer(values), balancer, setAside: [] }
  const isolated = isolate(values, where)
  const plan = await render(isolated.values)
  refuseStoresOfOthers(plan)
  return { plan, balancer, setAside: isolated.setAside }
}

/** Asks the chart about values as they were given, where a run does not have all of them. */
export async function refuseAsGiven({ lab: _, ...values }: Values): Promise<void> {
  if (isolate(values).setAside.length) await manifests(values)
}

/** Whether the chart or the bare server refused the values; the message says which, and why. */
export const refuses = (error: unknown): error is Error =>
  error instanceof ValuesRefused || error instanceof ServerRefused

const balancers: readonly unknown[] = ['node', 'nginx', 'iptables'] satisfies BalancerKind[]

function balancerIn({ balancer = 'node', ...others }: Values): BalancerKind {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new ValuesRefused(`lab.${unknown}: there is no such value.`)
  if (!balancers.includes(balancer))
    throw new ValuesRefused(`lab.balancer: Expected one of ${balancers.join(', ')}, got ${JSON.stringify(balancer)}.`)
  return balancer as BalancerKind
}
