/**
 * The name of a process of a run, after its pod: `worker-1`, and `worker-1-runner` for a process beside the pod's main
 * one.
 */
export const processName = (component: string, index: number, beside?: string) =>
  [component, index, ...(beside ? [beside] : [])].join('-')
