import { planServer, ServerRefused } from '../baseline/plan.ts'
import { refuseStoresOfOthers } from '../chart/own-stores.ts'
import type { Plan } from '../chart/plan.ts'
import { render, ValuesRefused } from '../chart/render.ts'
import type { Experiment, Values } from '../profile/experiment.ts'
import type { BalancerKind } from '../target/target.ts'

/** The plan of a cell's values, without `lab`, which only says how to run the plan. */
export interface Planned {
  plan: Plan
  balancer: BalancerKind
}

export async function planOf(kind: Experiment['plan'], { lab = {}, ...values }: Values): Promise<Planned> {
  const balancer = balancerIn(lab as Values)
  if (kind === 'server') return { plan: planServer(values), balancer }
  const plan = await render(values)
  refuseStoresOfOthers(plan)
  return { plan, balancer }
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
