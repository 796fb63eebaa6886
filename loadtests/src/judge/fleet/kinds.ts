import type { Demand, Fleet, Part } from '../../model/fleet.ts'
import { usualPause, usualVariation } from './measured.ts'
import { concurrencyFor, usualSize } from './plan.ts'

/**
 * Kinds of workflow, and what one execution of them took: a start for who has measured nothing. From the runs of
 * docs/evidence, on the settings of the chart, by a core of the machine that they were measured on.
 */
interface Kind {
  name: string
  /** CPU milliseconds of an execution at its worker, with its ± between workflows of the kind. */
  worker: number
  within: number
  /** Seconds that it waits for others. */
  held: number
  /** Not measured by us: from what its nodes are like. */
  assumed?: true
}

export const kinds: Kind[] = [
  { name: 'no outside call', worker: 7, within: 3, held: 0 },
  { name: 'one HTTP call', worker: 50, within: 17, held: 0.2 },
  { name: 'code', worker: 20, within: 9, held: 0 },
  { name: 'five nodes with a database', worker: 40, within: 20, held: 0.02, assumed: true },
  { name: 'an agent that waits 8 s for a model', worker: 80, within: 40, held: 8, assumed: true },
]

/** Milliseconds of its core for one count of cli/speed.ts, and requests a second of a bare server on it. */
export const measuredOn = { counts: 0.49, bare: 2100 }

/** What every execution takes of the other parts, in CPU milliseconds, with its ± between workflows and runs. */
const others: { part: Part; ms: number; within: number; idle: number; cpu: number; mebibytes: number }[] = [
  { part: 'main', ms: 0.9, within: 0.4, idle: 0.02, cpu: 0.5, mebibytes: 1024 },
  { part: 'webhook', ms: 10, within: 4, idle: 0.02, cpu: 1, mebibytes: 768 },
  { part: 'redis', ms: 1.1, within: 0.4, idle: 0.003, cpu: 1, mebibytes: 256 },
  { part: 'postgresql', ms: 8, within: 2.5, idle: 0.004, cpu: 2, mebibytes: 512 },
]

interface AnyWorkflow {
  /** CPU seconds of an execution at its worker, on that machine. */
  worker: { seconds: number; within: number }
  held: number
  /** How many times as fast as that machine this one is. */
  speed: number
}

/** A fleet of workers of one core and a GiB, where only the demand of a workflow is known. */
export function usualFleet({ worker, held, speed }: AnyWorkflow): Fleet {
  const demand = (
    part: Part,
    [seconds, within]: [number, number],
    idle: number,
    cpu: number,
    mebibytes: number,
  ): Demand => ({
    part,
    seconds: seconds / speed,
    within: within / speed,
    idle: idle / speed,
    idleKnown: true,
    processes: { least: 1, most: 2 },
    cpu,
    threads: 1,
    memory: mebibytes * 2 ** 20,
    peak: null,
    connections: part === 'redis' || part === 'postgresql' ? null : 5,
  })
  const webhook = others.find(({ part }) => part === 'webhook')!.ms / 1000
  return {
    steps: 0,
    rates: { least: 0, most: 0 },
    demands: [
      ...others.map(({ part, ms, within, idle, cpu, mebibytes }) =>
        demand(part, [ms / 1000, within / 1000], idle, cpu, mebibytes),
      ),
      demand('worker', [worker.seconds, worker.within], 0.03, 1, 1024),
    ],
    slots: 10,
    held,
    heldVariation: 0.05,
    heap: null,
    atOnce: false,
    delay: 0,
    variation: usualVariation,
    pause: { ...usualPause, cpu: usualPause.cpu / speed },
    regular: {
      seconds: (worker.seconds + webhook / 2) / speed,
      within: Math.hypot(worker.within, webhook / 3) / speed,
    },
    basis: 'kind',
    fromCallers: false,
    execution: { transactions: 40, written: 9000, kept: null, commands: 48, busy: null },
  }
}

export function fleetOfKind({ worker, within, held }: Kind, speed: number): Fleet {
  const fleet = usualFleet({ worker: { seconds: worker / 1000, within: within / 1000 }, held, speed })
  return { ...fleet, slots: concurrencyFor(fleet, usualSize(fleet)) }
}
