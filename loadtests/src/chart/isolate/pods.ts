import { valueAt } from '../../lib/values.ts'
import {
  dropValue,
  dropGiven,
  isGiven,
  leftOut,
  listAt,
  nothing,
  put,
  roles,
  rolesOfN8n,
  type IsolatedDraft,
} from './draft.ts'
import type { Values } from '../../model/experiment.ts'

const placing = ['nodeSelector', 'tolerations', 'affinity', 'topologySpread', 'priorityClassName', 'runtimeClassName']
const naming = ['hostAliases', 'dnsConfig']
const marking = ['podAnnotations', 'podLabels']

/** Pods of the run: where it likes, as many as it says, and with nothing of production beside n8n. */
export function ownPods({ values, aside }: IsolatedDraft): void {
  const inRoles = (fields: string[], within = roles) =>
    within.flatMap((role) => fields.map((field) => `${role}.${field}`))
  containersBeside({ values, aside })
  const hooks = dropGiven(values, inRoles(['lifecycle']))
  if (hooks.length) aside(hooks, 'the chart’s own', nothing)
  const placed = dropGiven(values, [
    ...inRoles(placing),
    ...['database', 'redis'].flatMap((store) => placing.map((field) => `${store}.embedded.${field}`)),
  ])
  if (placed.length) aside(placed, 'any node', 'Other nodes may be faster or slower')
  const names = dropGiven(values, inRoles(naming))
  if (names.length) aside(names, leftOut, 'Names that only they know are not found')
  const marks = dropGiven(values, inRoles(marking))
  if (marks.length) aside(marks, leftOut, 'A mesh or an agent beside n8n costs time and CPU of its own')
  for (const role of rolesOfN8n) {
    if (valueAt(values, `${role}.wait.seconds`) !== 0) continue
    dropValue(values, `${role}.wait`)
    aside(`${role}.wait.seconds 0`, 'the chart’s own', nothing)
  }
  fixedReplicas({ values, aside })
}

function containersBeside({ values, aside }: IsolatedDraft): void {
  for (const role of roles) {
    for (const field of ['extraInitContainers', 'extraContainers']) {
      const names = listAt(values, `${role}.${field}`).map(({ name }) => `${role}.${field} ${String(name)}`)
      if (!names.length) continue
      dropValue(values, `${role}.${field}`)
      aside(names, leftOut, 'What they do, and their CPU and memory, is not measured')
    }
  }
}

/** While the number of pods changes, figures fit no plan. */
function fixedReplicas({ values, aside }: IsolatedDraft): void {
  const shared = valueAt(values, 'role.autoscaling')
  const scaled = ['main', 'worker', 'webhook'].flatMap((role) => {
    const own = { ...(shared as Values), ...(valueAt(values, `${role}.autoscaling`) as Values) }
    return isGiven(own.by) && own.by !== 'none' ? [{ role, ...own } as Scaled] : []
  })
  if (!scaled.length) return
  dropValue(values, 'role.autoscaling')
  for (const { role, by, min = 2 } of scaled) {
    // Only a licence allows several mains, and nothing measures a role without pods.
    const replicas = role === 'main' ? 1 : Math.max(1, min)
    dropValue(values, `${role}.autoscaling`)
    put(values, `${role}.replicas`, replicas)
    aside(
      `${role}.autoscaling by ${by}`,
      `${role}.replicas ${replicas}`,
      'The fewest pods are measured: more sustain more',
    )
  }
}

interface Scaled {
  role: string
  by: string
  min?: number
}
