/** A release of the chart, as Helm knows it. */
export interface Release {
  name: string
  namespace: string
}
