import { z } from 'zod'
import { HookAnswer } from './hook-answer.ts'
import { EcosystemAnswer } from './ecosystem.ts'
import { AlertsAnswer } from './alerts.ts'
import { ConvertAnswer } from './convert.ts'
import { DoctorAnswer } from './doctor.ts'
import { InitAnswer } from './init.ts'
import { LearnAnswer } from './learn.ts'
import { ListAnswer } from './list.ts'
import { SizeAnswer } from './size.ts'
import { Answer } from '../model/answer.ts'
import { WrittenEnvironment } from '../model/environment.ts'
import { Estimate } from '../model/estimate.ts'
import { Experiment, Slo, Values } from '../model/experiment.ts'
import { Explanation } from '../model/explanation.ts'
import { FaultResult, Named } from '../model/fault.ts'
import { Size } from '../model/fleet.ts'
import { WrittenGate } from '../model/gate.ts'
import { Load } from '../model/load.ts'
import { Latency, LoadResult } from '../model/load-result.ts'
import { Growth, Held, Operating, Thirds } from '../model/operating.ts'
import { OutsideCount } from '../model/outside.ts'
import { Capacity, Resources, WrittenResult } from '../model/result.ts'
import { WrittenScaling } from '../model/scaling.ts'
import { Accounting, Lateness, Reason, Step } from '../model/step.ts'
import { FleetOf, WrittenComparison, WrittenSummary, WrittenWorth } from '../model/summary.ts'
import { TierInForce } from '../model/tier.ts'

/** What programs read: the summary, which check, compare, tune and report print, and what each other verb prints. */
const documents = {
  summary: WrittenSummary,
  size: SizeAnswer,
  doctor: DoctorAnswer,
  hook: HookAnswer,
  ecosystem: EcosystemAnswer,
  alerts: AlertsAnswer,
  init: InitAnswer,
  learn: LearnAnswer,
  convert: ConvertAnswer,
  list: ListAnswer,
}

/** The nouns that have a name of their own in the JSON Schema. */
const nouns = {
  accounting: Accounting,
  answer: Answer,
  capacity: Capacity,
  comparison: WrittenComparison,
  environment: WrittenEnvironment,
  estimate: Estimate,
  experiment: Experiment,
  explanation: Explanation,
  fault: FaultResult,
  fleet: FleetOf,
  gate: WrittenGate,
  growth: Growth,
  held: Held,
  latency: Latency,
  lateness: Lateness,
  load: Load,
  loadResult: LoadResult,
  named: Named,
  operating: Operating,
  outside: OutsideCount,
  reason: Reason,
  resources: Resources,
  result: WrittenResult,
  scaling: WrittenScaling,
  slo: Slo,
  step: Step,
  thirds: Thirds,
  size: Size,
  tier: TierInForce,
  values: Values,
  worth: WrittenWorth,
}

/** The JSON Schema of each document. */
export function jsonSchemas(): Record<string, object> {
  for (const [id, noun] of Object.entries(nouns)) z.globalRegistry.add(noun, { ...z.globalRegistry.get(noun), id })
  return Object.fromEntries(Object.entries(documents).map(([name, type]) => [name, jsonSchema(name, type)]))
}

function jsonSchema(name: string, type: z.ZodType): object {
  const { $schema, ...schema } = z.toJSONSchema(type)
  return {
    $schema,
    $id: `https://github.com/n8n-tuned/n8n-tuned/schema/${name}-1.json`,
    title: name === 'summary' ? 'summary.json of n8n-tuned' : `What n8n-tuned ${name} says to programs`,
    ...schema,
  }
}
