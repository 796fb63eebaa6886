import { usage } from '../lib/errors.ts'

/** What is wrong with a fault that the user asked for. */
export const faultErrors = {
  noSuchComponent: (component: string, there: string[]) =>
    usage(
      'no-such-component',
      `Expected a plan with ${component}, which the fault needs, got one with ${there.join(', ')}.`,
      'Choose another fault, or other values: --set executions.mode=queue --set database.type=embedded has '
        + 'all of them.',
    ),

  unknownFault: (got: string, known: readonly string[]) =>
    usage(
      'unknown-fault',
      `Expected the name of a fault, got "${got}".`,
      `Faults: ${known.join(', ')}. One that lasts takes its seconds: redis-frozen=45s. An upgrade takes its `
        + 'release: upgraded=2.41.1.',
    ),

  faultNeedsRate: () =>
    usage(
      'fault-needs-rate',
      'Expected --fault beside a steady load, got it without --rate.',
      'Say a rate that n8n sustains with room to spare, about half of its capacity: --rate 20.',
    ),

  faultsApart: () =>
    usage(
      'faults-apart',
      'Expected variants one after the other under the profile’s faults, got --rate, which runs them side by side.',
      'Leave --rate out: the profile says the load.',
    ),

  noFaultsThere: () =>
    usage(
      'no-faults-there',
      'Expected --fault with an n8n that the lab starts, and whose database it can ask, got another one.',
      'Leave out --target, or take --target kubernetes with database.type and redis.type embedded.',
    ),

  noRunner: () =>
    usage(
      'no-task-runner',
      'Expected a task runner beside n8n, which the fault kills, found none.',
      'Choose n8n 2, or n8n 1 with runners enabled, and a workflow with a Code node: --workflow code-webhook.',
    ),

  cannotFreeze: (what: string) =>
    usage(
      'cannot-freeze',
      `Expected ${what} to be the child of an init process in its container, which a signal can stop, found none.`,
      'Use an image that starts it with tini or another init, as n8n’s own does, or leave out --target.',
    ),

  noMemoryLimit: (pod: string, container: string) =>
    usage(
      'no-memory-limit',
      `Expected a memory limit, which the fault passes, got none for the container ${container} of ${pod}.`,
      'Set resources.limits.memory of that role.',
    ),

  runnerWithinN8n: () =>
    usage(
      'runner-within-n8n',
      'Expected a task runner with a container and a memory limit of its own, got one in n8n’s container.',
      'Choose worker-out-of-memory or main-out-of-memory, or --set runner.mode=external.',
    ),

  needsOwnNetwork: () =>
    usage(
      'fault-needs-own-network',
      'Expected n8n to run in a network of its own, where the lab can drop packets and fill a disk, got it in the '
        + 'machine’s.',
      'Run the lab as root with iptables, without --engine container, --allow-outside or --record-outside, and '
        + 'let it start the database and Redis: database.type and redis.type embedded.',
    ),

  notTogether: (fault: string, other: string, why: string) =>
    usage(
      'faults-not-together',
      `Expected ${fault} and ${other} in two runs, because ${why}, got both in one.`,
      'Run the command twice, with one of them each time.',
    ),

  needsClockLibrary: () =>
    usage(
      'fault-needs-libfaketime',
      'Expected libfaketime on this machine and n8n as processes of it, so that the lab can move n8n’s clock. '
        + 'One of them is missing.',
      'Install it (apt-get install libfaketime), and run the lab without --engine container.',
    ),

  faultElsewhere: (where: string) =>
    usage(
      'fault-elsewhere',
      `Expected a fault that can be done here, got one that needs ${where}.`,
      'Choose another fault, or that target.',
    ),
}
