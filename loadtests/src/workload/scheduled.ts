import { stableId } from '../lib/names.ts'
import { usage } from '../lib/errors.ts'
import type { Importable } from '../n8n/exported.ts'
import type { Workflow } from './workflow.ts'

/** Workflows with a schedule, as n8n itself begins them: copies that are all due at second 0 of every minute. */

const schedule = 'n8n-nodes-base.scheduleTrigger'
const ofTime = new Set([schedule, 'n8n-nodes-base.cron', 'n8n-nodes-base.interval'])

/** Those that the clock begins, and those that callers call. */
export function byClock(workflows: Workflow[]): { scheduled: Workflow[]; called: Workflow[] } {
  const scheduled = workflows.filter(isScheduled)
  if (scheduled.length === 0)
    throw usage(
      'no-schedule',
      `--copies: Expected a workflow that begins by a schedule, got ${workflows.map(({ name }) => name).join(', ')}.`,
      'Name an exported workflow with a Schedule Trigger by --workflow, or leave --copies out.',
    )
  return { scheduled, called: workflows.filter((one) => !isScheduled(one)) }
}

const isScheduled = ({ standsFor }: Workflow): boolean => standsFor !== undefined && ofTime.has(standsFor.type)

/** A workflow that callers call, with so many copies of scheduled ones in the same n8n. */
export function withScheduled(host: Workflow, scheduled: Workflow[], copies: number): Workflow {
  const all = scheduled.flatMap((one) =>
    Array.from({ length: copies }, (_, index) => onSchedule(one.imports.at(-1)!, one, index + 1)),
  )
  return {
    ...host,
    imports: [...scheduled.flatMap(({ imports }) => imports.slice(0, -1)), ...all, ...host.imports],
    beside: all.map(({ id }) => id),
    dataTables: [...host.dataTables, ...scheduled.flatMap(({ dataTables }) => dataTables)],
    needsNodes: host.needsNodes || scheduled.some(({ needsNodes }) => needsNodes),
    // The first warning says that a copy with a Webhook is loaded, which these are not.
    warnings: [...host.warnings, ...scheduled.flatMap(({ warnings }) => warnings.slice(1))],
  }
}

/** In place of the lab's own Webhook and of the node that stands for the trigger: the trigger, every minute. */
function onSchedule(original: Importable, { standsFor }: Workflow, number: number): Importable {
  const { node, webhook } = standsFor!
  const { [webhook]: _, ...connections } = original.connections
  return {
    ...original,
    id: stableId(`${original.id} copy ${number}`),
    name: `${original.name} (copy ${number})`,
    nodes: original.nodes
      .filter(({ name }) => name !== webhook)
      .map((one) => (one.name === node ? { ...place(one), ...everyMinute } : one)),
    connections,
  }
}

const place = ({ id, name, position }: Importable['nodes'][number]) => ({ id, name, position })

const everyMinute = {
  type: schedule,
  typeVersion: 1.2,
  parameters: { rule: { interval: [{ field: 'cronExpression', expression: '0 * * * * *' }] } },
}
