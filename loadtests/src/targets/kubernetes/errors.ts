import { failure, invalid, usage } from '../../lib/errors.ts'

/** What a cluster lacks, or refuses to do. */
export const clusterErrors = {
  missingKubectl: () =>
    usage(
      'missing-kubectl',
      'Expected kubectl on PATH, which knows how to log in to your cluster, found none.',
      'https://kubernetes.io/docs/tasks/tools/ says how to install it.',
    ),

  noCluster: (what: string, reason: string) =>
    usage(
      'no-cluster',
      `Expected ${what}, got: ${reason}.`,
      'kubectl config get-contexts lists what KUBECONFIG knows; kubectl config use-context chooses one.',
    ),

  clusterRefused: (request: string, said: string) =>
    failure(
      'cluster-refused',
      `Expected the cluster to do as asked (${request}), got: ${said}`,
      'docs/targets.md lists what the lab may have to do there.',
    ),

  leftInCluster: (namespace: string, seconds: number) =>
    failure(
      'left-in-cluster',
      `Expected the namespace ${namespace} to be gone within ${seconds} s, but it is still there.`,
      `kubectl describe namespace ${namespace} says what holds it.`,
    ),

  installFailed: (log: string[]) =>
    invalid('install-failed', 'Expected Helm to install the chart, but it failed.', 'Its last lines say why.', log),
}
