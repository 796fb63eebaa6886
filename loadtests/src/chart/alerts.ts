import { stringify } from 'yaml'
import { yamlDocuments } from '../lib/yaml.ts'

/** The chart's alert rules and its dashboard as files, for a Prometheus and a Grafana outside of a cluster. */

export interface AlertFiles {
  /** Name → content. */
  files: { 'rules.yaml': string; 'scrape.yaml': string; 'dashboard.json': string }
  alerts: string[]
  /** Alerts that only a cluster can have. */
  left: string[]
}

/** What the alerts and the dashboard are rendered with, over the values of the user. */
export const withMonitoring = {
  monitoring: { enabled: true, rules: { enabled: true }, dashboard: { enabled: true } },
}

/** Metrics of Kubernetes, and of sidecars of the chart: nothing else serves them. */
const ofCluster = /\b(kube|kubelet|container|n8n_tuned)_[a-z]/

interface Manifest {
  kind?: string
  metadata?: { namespace?: string; labels?: Record<string, string> }
  spec?: { groups?: Group[]; template?: Template }
  data?: Record<string, string>
}
interface Template {
  metadata?: { labels?: Record<string, string> }
  spec?: { containers?: { env?: { name: string; value?: string }[] }[] }
}
interface Group {
  name: string
  rules: { alert?: string; record?: string; expr: string }[]
}

/** In its ConfigMap. */
const dashboardName = 'n8n-tuned.json'

const madeBy = 'Made by:'
/** Values and arguments may have several lines, which would be YAML. */
const comment = (text: string) => `# ${text.replace(/\s+/g, ' ')}\n`

/** Whether a file is one that this has written before. */
export const isOurs = (text: string): boolean =>
  text.startsWith(`# ${madeBy} n8n-tuned`) || /"uid": *"n8n-tuned"/.test(text)

const roleLabel = 'app.kubernetes.io/component'
const roles = ['main', 'worker', 'webhook']

export function alertFilesOf(manifests: string, command: string): AlertFiles {
  const all = yamlDocuments(manifests).map(({ value }) => value as Manifest | null)
  const groups = all.flatMap((one) => (one?.kind === 'PrometheusRule' ? (one.spec?.groups ?? []) : []))
  const rules = groups.flatMap((group) => group.rules)
  const names = (some: Group['rules']) => some.flatMap(({ alert }) => alert ?? [])
  const kept = groups
    .map((group) => ({ ...group, rules: group.rules.filter(({ expr }) => !ofCluster.test(expr)) }))
    .filter((group) => group.rules.length > 0)
  const dashboard = all.find((one) => one?.kind === 'ConfigMap' && one.data?.[dashboardName] !== undefined)
  const there = roles.filter((role) => all.some((one) => one?.spec?.template?.metadata?.labels?.[roleLabel] === role))
  const env = all.flatMap((one) => one?.spec?.template?.spec?.containers ?? []).flatMap((one) => one.env ?? [])
  const metrics = new Map(env.flatMap(({ name, value }) => (/^N8N_METRICS/.test(name) && value ? [[name, value]] : [])))
  const variables = [...metrics].map(([name, value]) => comment(`${name}=${value}`)).join('')
  const head = (says: string) => comment(`${madeBy} ${command}`) + comment(says)
  return {
    files: {
      'rules.yaml': head('Name it under rule_files of prometheus.yml.') + stringify({ groups: kept }, { lineWidth: 0 }),
      'scrape.yaml':
        head('Put it under scrape_configs of prometheus.yml, with the addresses at which your n8n answers.')
        + `# Each process of n8n needs these variables:\n${variables}`
        + stringify([scrapeOf(there.length ? there : ['main'])], { lineWidth: 0 }),
      'dashboard.json': `${dashboard!.data![dashboardName]!.trimEnd()}\n`,
    },
    alerts: names(kept.flatMap((group) => group.rules)),
    left: names(rules.filter(({ expr }) => ofCluster.test(expr))),
  }
}

/** The labels by which the alerts and the dashboard know a release and its roles. */
const scrapeOf = (there: string[]) => ({
  job_name: 'n8n',
  scrape_interval: '15s',
  static_configs: there.map((role) => ({
    targets: [`n8n${role === 'main' ? '' : `-${role}`}:5678`],
    labels: { namespace: 'default', release: 'n8n-tuned', role },
  })),
  relabel_configs: [{ source_labels: ['__address__'], target_label: 'pod' }],
})
