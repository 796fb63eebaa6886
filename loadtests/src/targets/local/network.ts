import type { RunningProcess } from '../target.ts'

/** The network in which a plan's processes listen on loopback. */
export interface Network {
  /** The address of that loopback for the lab and the generator. */
  address: string
  /** The command that runs `argv` in it. */
  enter(argv: string[]): string[]
}

/** The machine's own. */
export const machineNetwork: Network = { address: '127.0.0.1', enter: (argv) => argv }

/** A network other than the machine's. */
export interface OwnNetwork {
  network: Network
  link: Link
  /** The process whose network it is. */
  holder: number
  /** What keeps it. */
  holding: RunningProcess
}

/** Two ends, one in each network. */
export interface Link {
  name: string
  outside: string
  inside: string
}
