import { execa } from 'execa'

export interface Place {
  context: string
  namespace: string
  pod: string
  container: string
}

const patience = 30_000

/** The words that lead kubectl to a command in a container. */
export const argvOf = ({ context, namespace, pod, container }: Place, command: string[], ...flags: string[]) => [
  ...['--context', context, '--namespace', namespace],
  ...['exec', ...flags, pod, '--container', container, '--', ...command],
]

/** Runs one command in a container, and says how it ended. */
export const execIn = (place: Place, command: string[]) =>
  execa('kubectl', argvOf(place, command), { reject: false, timeout: patience })
