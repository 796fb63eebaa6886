import { usage } from '../lib/errors.ts'

/** Options that the chosen target cannot use. */
export const targetErrors = {
  checkOnly: () =>
    usage(
      'check-only',
      'Expected check with a --target that runs already, got compare.',
      'Its settings are what they are: n8n-tuned check measures them.',
    ),

  notItsValues: (what: string) =>
    usage(
      'not-its-values',
      `Expected a --target that runs already to keep its settings, got ${what}.`,
      'Leave that out; a profile’s load and objective apply, its Helm values do not.',
    ),

  explainElsewhere: (got: string) =>
    usage(
      'explain-elsewhere',
      `Expected --explain with an n8n that the lab starts on this machine (--target local), got ${got}.`,
      'Leave --explain out, or measure the same values with --target local.',
    ),

  outsideElsewhere: (got: string) =>
    usage(
      'outside-elsewhere',
      'Expected outside, --outside or --record-outside with an n8n that the lab starts on this machine '
        + `(--target local), got ${got}.`,
      'Leave it out, and know that each execution calls the real services there; or measure the same values '
        + 'with --target local.',
    ),

  noCredentialsThere: () =>
    usage(
      'no-credentials-there',
      'Expected --credentials with an n8n on this machine, got --target kubernetes, where the lab imports none.',
      'Measure the same values with --target local, or workflows that need no credentials.',
    ),

  onlyForUrl: (option: string) =>
    usage(
      'only-for-url',
      `Expected ${option} with a --target that is a URL, got another target.`,
      'Leave it out: the lab finds the metrics of what it starts by itself.',
    ),

  onlyForCluster: (option: string) =>
    usage(
      'only-for-cluster',
      `Expected ${option} with --target kubernetes, got another target.`,
      option === '--namespace'
        ? 'Leave it out: only a cluster has namespaces.'
        : 'Leave it out: on one machine the generator has cores of its own.',
    ),

  onlyWithRbac: () =>
    usage(
      'only-with-rbac',
      'Expected list --namespace together with --rbac, got it alone.',
      'Add --rbac to print the rights that a run in this namespace needs.',
    ),

  onlyForLocal: (option: string) =>
    usage(
      'only-for-local',
      `Expected ${option} with --target local, got another target.`,
      'Leave it out: a cluster and an n8n that runs already are what they are.',
    ),
}
