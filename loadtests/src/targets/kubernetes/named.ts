import type { Plan } from '../../chart/plan.ts'
import type { Home } from './homes.ts'
import type { Values } from '../../model/experiment.ts'

/** The chart names each object after the release and its component, so that releases share a namespace. */
const nameOf = (home: Home, component: string) => `${home.name}-${component}`

/** Values with which objects have the names of `named`, also where the user's own values say otherwise. */
export const asNamed = (home: Home): Values => ({ fullnameOverride: home.name })

/** Pure: the plan with the names that its objects have in this home. */
export const named = (plan: Plan, home: Home): Plan => ({
  ...plan,
  workloads: plan.workloads.map(({ name, ...workload }) => ({
    ...workload,
    name: `${name.split('/')[0]}/${nameOf(home, workload.component)}`,
  })),
  services: plan.services.map((service) => ({ ...service, name: nameOf(home, service.component) })),
})
