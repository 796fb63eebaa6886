/** The network in which a plan's processes listen on loopback. */
export interface Network {
  /** The address of that loopback for the lab and the generator. */
  address: string
  /** The command that runs `argv` in it. */
  enter(argv: string[]): string[]
}

/** The machine's own. */
export const machineNetwork: Network = { address: '127.0.0.1', enter: (argv) => argv }
