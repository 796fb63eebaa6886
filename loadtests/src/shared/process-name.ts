/** A process of a run, by the pod that it is in: `worker-1`, and `worker-1-runner` for one beside the pod's own. */
export const processName = (component: string, index: number, beside?: string) =>
  [component, index, ...(beside ? [beside] : [])].join('-')
