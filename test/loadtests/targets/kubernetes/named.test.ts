import { manifests, render } from '../../../../loadtests/src/chart/render.ts'
import { mergeValues } from '../../../../loadtests/src/lib/values.ts'
import { asNamed, named } from '../../../../loadtests/src/targets/kubernetes/install.ts'

test('a plan has the names that its objects get in its namespace, whatever the user’s values call them', async () => {
  const users = {
    fullnameOverride: 'flows',
    executions: { mode: 'queue' },
    database: { type: 'embedded' },
    worker: { pools: [{ name: 'reports' }] },
    license: { existingSecret: { name: 'license' } },
  }
  const own = { name: 'n8n-tuned-1a2b3c4d-0', namespace: 'team' }
  const { workloads, services } = named(await render(users, { secretsElsewhere: true }), own)
  const installed = await manifests(mergeValues(users, asNamed(own)))
  const namesOf = (...kinds: string[]) =>
    [...installed.matchAll(/^kind: (\w+)\nmetadata:\n  name: "?([^"\s]+)/gm)].flatMap(([, kind, name]) =>
      kinds.includes(kind!) ? [name] : [],
    )
  expect(workloads.map(({ name }) => name.split('/')[1]).sort()).toEqual(namesOf('Deployment', 'StatefulSet').sort())
  expect(services.map(({ name }) => name).sort()).toEqual(namesOf('Service').sort())
})
