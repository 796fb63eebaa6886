/**
 * Everything that the lab may have to do in a cluster. The YAML of `list --rbac`, the check before a run and the table
 * in docs/targets.md come from this list.
 */
interface Use {
  group: string
  /** With its subresource: `pods/exec`. */
  resource: string
  /** With namespaces of the lab's own. */
  own: Verb[]
  /** With a namespace that is given. */
  given: Verb[]
  why: string
}

type Verb = 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete'

/** What one form of the target needs of one resource. */
export interface Right {
  group: string
  resource: string
  verbs: Verb[]
  why: string
}

const use = (resource: string, own: Verb[], given: Verb[], why: string): Use => {
  const [group, name] = resource.includes(':') ? resource.split(':') : ['', resource]
  return { group: group!, resource: name!, own, given, why }
}

const installed: Verb[] = ['get', 'create', 'patch']
/** There is no namespace to delete that would take them along. */
const installedAndRemoved: Verb[] = ['get', 'list', 'create', 'patch', 'delete']

const uses: Use[] = [
  use(
    'namespaces',
    ['get', 'list', 'create', 'patch', 'delete'],
    [],
    'one for every plan; those of labs that were killed are removed',
  ),
  use('serviceaccounts', ['get'], [], 'a new namespace takes pods once its default one is there'),
  use('configmaps', installed, installedAndRemoved, 'the chart’s; k6’s scenarios; the mark of a run'),
  use(
    'secrets',
    ['get', 'list', 'create', 'update', 'patch', 'delete'],
    ['get', 'list', 'create', 'update', 'patch', 'delete'],
    'the chart’s; Helm’s record of its release; the requests that k6 sends',
  ),
  use('services', installed, installedAndRemoved, 'the chart’s, also to reach its PostgreSQL and Redis'),
  use('persistentvolumeclaims', installed, installedAndRemoved, 'the chart’s'),
  use(
    'pods',
    ['get', 'list', 'create', 'delete'],
    ['get', 'list', 'create', 'delete'],
    'the calibration’s; whether they are ready; faults that kill them',
  ),
  use('pods/log', ['get'], ['get'], 'k6’s summary; logs for the run’s folder'),
  use('pods/exec', ['create'], ['create'], 'CPU time and memory; faults within a container'),
  use('pods/portforward', ['create'], ['create'], 'executions in PostgreSQL, the queue in Redis'),
  use('pods/proxy', ['get'], ['get'], 'n8n’s metrics'),
  use('pods/eviction', ['create'], ['create'], 'the faults that drain'),
  use(
    'services/proxy',
    ['get', 'create', 'update', 'patch', 'delete'],
    ['get', 'create', 'update', 'patch', 'delete'],
    'whether a webhook answers, by its own HTTP method',
  ),
  use('events', ['list'], ['list'], 'why no pod was made'),
  use('apps:deployments', installed, installedAndRemoved, 'the chart’s; faults that stop or roll them'),
  use('apps:statefulsets', installed, installedAndRemoved, 'the chart’s; faults that stop or change them'),
  use('batch:jobs', ['create', 'delete'], ['list', 'create', 'delete'], 'k6’s'),
  use('policy:poddisruptionbudgets', installed, installedAndRemoved, 'the chart’s'),
  use('networking.k8s.io:networkpolicies', installed, installedAndRemoved, 'the chart’s'),
]

/** Not checked and not granted: the report only says less without them. */
const helpful: Right[] = [
  { group: '', resource: 'nodes', verbs: ['list'], why: 'the machine in the report' },
  {
    group: '',
    resource: 'nodes/proxy',
    verbs: ['get'],
    why: 'CPU and memory of more than thirty containers, asked of each node at once',
  },
  { group: 'apps', resource: 'deployments', verbs: ['list'], why: 'the name of your release in its commands' },
]

/** Needed for plans in a given namespace, or in namespaces of the lab's own if that is null. */
export const rightsIn = (namespace: string | null): Right[] =>
  uses
    .map(({ own, given, ...rest }) => ({ ...rest, verbs: namespace === null ? own : given }))
    .filter(({ verbs }) => verbs.length > 0)

/**
 * The kinds of which a plan leaves objects that the lab has to remove one by one: `/apis/apps/v1`, `deployments`. What
 * makes pods comes before the pods.
 */
export const removable = uses
  .filter(({ given }) => given.includes('list') && given.includes('delete'))
  .map(({ group, resource }) => ({ version: group ? `/apis/${group}/v1` : '/api/v1', resource }))
  .reverse()

/** As kubectl names it: `deployments.apps`. */
export const rightName = ({ group, resource }: Pick<Right, 'group' | 'resource'>): string =>
  group ? `${resource}.${group}` : resource

const account = 'n8n-tuned-lab'

/** What the rights over all namespaces begin with. */
const wide = `# Nearly an administrator: this account reads every Secret of the cluster, and enters every pod. It is for
# a cluster for tests. For any other, make a namespace and add --namespace.
apiVersion: v1
kind: Namespace
metadata: { name: ${account} }
---
`

/** YAML for kubectl: an account for the lab, and its rights. */
export function rbac(namespace: string | null): string {
  const kind = namespace === null ? 'ClusterRole' : 'Role'
  const where = namespace === null ? '' : `, namespace: ${namespace}`
  const rules = rightsIn(namespace).map((right) => `  # ${right.why}\n  - ${ruleOf(right)}\n`)
  const more =
    namespace === null ? helpful.map((right) => `  # Optional, for ${right.why}:\n  # - ${ruleOf(right)}\n`) : []
  return `${namespace === null ? wide : ''}apiVersion: v1
kind: ServiceAccount
metadata: { name: ${account}, namespace: ${namespace ?? account} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}
metadata: { name: ${account}${where} }
rules:
${[...rules, ...more].join('')}---
apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}Binding
metadata: { name: ${account}${where} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ${kind}, name: ${account} }
subjects:
  - { kind: ServiceAccount, name: ${account}, namespace: ${namespace ?? account} }
`
}

const ruleOf = ({ group, resource, verbs }: Right) =>
  `{ apiGroups: ["${group}"], resources: [${resource}], verbs: [${verbs.join(', ')}] }`

/** Markdown, for the page about targets. */
export function rightsTable(): string {
  const rows = uses.map((each) => [rightName(each), each.own.join(', '), each.given.join(', ') || '–', each.why])
  return [['Resource', 'Verbs', 'with `--namespace`', 'For'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
