import { execa } from 'execa'

interface Place {
  context: string
  namespace: string
  pod: string
  container: string
}

const patience = 30_000

/** Runs one command in a container, and says how it ended. */
export const execIn = ({ context, namespace, pod, container }: Place, command: string[]) =>
  execa(
    'kubectl',
    ['--context', context, '--namespace', namespace, 'exec', pod, '--container', container, '--', ...command],
    { reject: false, timeout: patience },
  )
