import { usage } from './errors.ts'

/** What the project itself lacks, or cannot read. */
export const supportErrors = {
  badQuantity: (got: string | number) =>
    usage(
      'bad-quantity',
      `Expected CPU and memory as Kubernetes quantities such as 500m or 1Gi, got ${JSON.stringify(got)}.`,
      'Correct the resources among the Helm values.',
    ),

  missingTool: (name: string) =>
    usage('missing-tool', `Expected ${name} to be installed, found nothing.`, 'Run make setup in the project’s root.'),
}
