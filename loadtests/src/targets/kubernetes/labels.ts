/** What the lab itself makes carries this, as what Helm installs carries `Helm`. */
export const mine = { 'app.kubernetes.io/managed-by': 'n8n-tuned-lab' }

/** Everything in a home carries its name here: what the lab makes, and what the chart does. */
export const instance = 'app.kubernetes.io/instance'

/** What says that there is a home. */
export const mark = { 'n8n-tuned/home': 'true' }

export const labelsIn = (home: string) => ({ ...mine, [instance]: home })

export const selecting = (labels: Record<string, string>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
