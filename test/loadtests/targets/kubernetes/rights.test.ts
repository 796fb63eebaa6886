import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { isolate } from '../../../../loadtests/src/chart/isolate/isolate.ts'
import { manifests } from '../../../../loadtests/src/chart/render.ts'
import { mergeValues } from '../../../../loadtests/src/lib/values.ts'
import { root, paths } from '../../../../loadtests/src/lib/paths.ts'
import { whereMeasured } from '../../../../loadtests/src/targets/kubernetes/install.ts'
import { madeSecrets } from '../../../../loadtests/src/targets/kubernetes/install.ts'
import { rbac, rightsIn, rightsTable } from '../../../../loadtests/src/targets/kubernetes/rights.ts'

const documents = (text: string) => parseAllDocuments(text).map((document) => document.toJS())

test('what is printed grants a new account exactly the rights of a run', () => {
  const [namespace, account, role, binding] = documents(rbac(null))
  expect(account.metadata.namespace).toBe(namespace.metadata.name)
  expect(rbac(null)).toMatch(/^# Nearly an administrator/)
  expect(role).toEqual({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'n8n-tuned-lab' },
    rules: rightsIn(null).map(({ group, resource, verbs }) => ({ apiGroups: [group], resources: [resource], verbs })),
  })
  expect(binding).toMatchObject({
    kind: 'ClusterRoleBinding',
    roleRef: { kind: 'ClusterRole', name: role.metadata.name },
    subjects: [{ kind: 'ServiceAccount', ...account.metadata }],
  })
})

test('in a namespace that is given nothing is asked for outside it', () => {
  const [account, role, binding] = documents(rbac('n8n-lab'))
  expect([account, role, binding].map(({ kind, metadata }) => [kind, metadata.namespace])).toEqual([
    ['ServiceAccount', 'n8n-lab'],
    ['Role', 'n8n-lab'],
    ['RoleBinding', 'n8n-lab'],
  ])
  expect(role.rules.flatMap(({ resources }: any) => resources)).not.toContain('namespaces')
})

test('docs/targets.md has the list', () => {
  expect(readFileSync(join(root, 'docs/targets.md'), 'utf8')).toContain(rightsTable())
})

test.each(globSync('ci/*-values.yaml', { cwd: paths.chart }))(
  'what the chart makes of %s may be made with these rights',
  async (file) => {
    const { values } = isolate(parse(readFileSync(join(paths.chart, file), 'utf8')), { images: 'pulled' })
    const measured = mergeValues(values, madeSecrets(values), whereMeasured([]))
    const kinds = documents(await manifests(measured))
      .filter((object) => object && !/^test/.test(object.metadata.annotations?.['helm.sh/hook'] ?? ''))
      .map(({ kind }) => kind)
    const creatable = rightsIn('n8n-lab')
      .filter(({ verbs }) => verbs.includes('create') && verbs.includes('patch'))
      .map(({ resource }) => resource)
    const pluralOf = (kind: string) => `${kind.toLowerCase().replace(/y$/, 'ie')}s`
    expect([...new Set(kinds.map(pluralOf))].filter((resource) => !creatable.includes(resource))).toEqual([])
  },
)
