/** Where a plan's processes have their loopback. */
export interface Network {
  /** Their loopback, as the lab and the generator reach it. */
  address: string
  /** The command that runs `argv` in it. */
  enter(argv: string[]): string[]
}

/** The machine's own. */
export const machineNetwork: Network = { address: '127.0.0.1', enter: (argv) => argv }
