import type { User } from '../../chart/plan.ts'
import type { Fail } from '../../lib/repeat.ts'
import type { OutsideOrder } from '../../model/outside.ts'
import type { Order } from '../target.ts'
import type { RunningProcess } from '../../n8n/running.ts'
import type { ChosenEngine } from './choose-engine.ts'
import type { RunningContainer } from './container.ts'
import type { Engine } from './engine.ts'
import type { Limiter } from './limits/limiter.ts'
import type { Network, Reach } from './network.ts'
import type { Scratch } from './scratch.ts'

/** How n8n is to run on this machine. */
export interface HereAsked {
  engine: ChosenEngine
  /** What answers in place of the services that workflows call; null if they call the real ones. */
  outside: OutsideOrder | null
  /** n8n may reach whatever this machine reaches. */
  open: boolean
}

/** What the plans on this machine share. */
export interface LocalMachine {
  /** Starts the containers of a plan. */
  engine: Engine
  /** Limits programs that are not containers. */
  limiter: Limiter
  scratch: Scratch
  /** How plans are kept apart from this machine; null where that cannot be had. */
  sealing: { reach: Reach; user: User | null } | null
  /** Answers in place of the services that workflows call; null if the workflows call the real ones. */
  outside: OutsideOrder | null
  fail: Fail
  /** Stands before the replicas of a plan. */
  openBalancer: OpenBalancer
  /** Puts a command on the generator's cores. */
  placeBeside(argv: string[]): string[]
  /** Receives a plan as soon as there may be something to remove. */
  register(plan: { down(): Promise<void> }): void
  /** Receives a network of a plan's own. */
  opened(network: Network): void
}

/** The plan that a process runs beside. */
export interface Post {
  /** The plan's name, and its folder. */
  name: string
  folder: string
  order: Pick<Order, 'logs' | 'onEvent' | 'signal'>
  machine: LocalMachine
  /** Receives what has to be stopped with the plan. */
  started(container: Pick<RunningContainer, 'stop'>): void
}

/** Stands before the replicas of a workload, as a Service does in a cluster. */
export interface Balancer {
  /** The network that the replicas have to be in. */
  network: Network
  /** Begins to balance; returns the process that does. */
  balance(fronts: Front[]): Promise<RunningProcess>
}

/** A port that balances over several replicas of a workload. Ports are on loopback. */
export interface Front {
  component: string
  port: number
  backends: number[]
}

/** `within`: the plan's network, where it already has its own. */
export type OpenBalancer = (post: Post, within?: Network) => Promise<Balancer>
