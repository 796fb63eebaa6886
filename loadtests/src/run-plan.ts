import type { Plan } from './chart/plan.ts'
import { render, ValuesRefused } from './chart/render.ts'
import type { Values } from './profile/experiment.ts'
import type { BalancerKind } from './target/target.ts'

/** What a cell's values amount to: the chart makes a plan of them, but of `lab`, which says how to run it. */
export interface Planned {
  plan: Plan
  balancer: BalancerKind
}

export async function planOf({ lab = {}, ...values }: Values): Promise<Planned> {
  const balancer = balancerIn(lab as Values)
  return { plan: await render(values), balancer }
}

const balancers: readonly unknown[] = ['node', 'nginx', 'iptables'] satisfies BalancerKind[]

function balancerIn({ balancer = 'node', ...others }: Values): BalancerKind {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new ValuesRefused(`lab.${unknown}: there is no such value.`)
  if (!balancers.includes(balancer)) throw new ValuesRefused(`lab.balancer: Expected one of ${balancers.join(', ')}, got ${JSON.stringify(balancer)}.`)
  return balancer as BalancerKind
}
