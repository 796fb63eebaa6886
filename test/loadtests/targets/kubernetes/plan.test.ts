import { manifests } from '../../../../loadtests/src/chart/render.ts'
import { planOf } from '../../../../loadtests/src/run/cells.ts'
import { mergeValues } from '../../../../loadtests/src/lib/values.ts'
import { currentContext } from '../../../../loadtests/src/targets/kubernetes/kubectl.ts'
import { imagesOf } from '../../../../loadtests/src/targets/kubernetes/images.ts'
import { whereMeasured } from '../../../../loadtests/src/targets/kubernetes/install.ts'
import { refusalOf } from '../../../support/refusal.ts'

test('a plan is installed beside the user’s own: without its host names, its monitors and its alarms', async () => {
  const users = {
    ingress: { enabled: true, host: 'n8n.example.com' },
    service: { type: 'LoadBalancer' },
    networkPolicy: { from: [{ podSelector: {} }] },
    monitoring: { enabled: true, rules: { enabled: true } },
  }
  const { plan } = await planOf(users, { images: 'pulled' })
  const rendered = await manifests(mergeValues(plan.values, whereMeasured([])))
  expect(rendered).not.toMatch(/kind: (Ingress|PrometheusRule)|type: LoadBalancer|podSelector: {}\n *ports/)
})

test('the lab’s own images come from where the plan’s do', async () => {
  expect(await imagesOf({})).toMatchObject({
    n8n: expect.stringMatching(/^n8nio\/n8n:\d/),
    k6: expect.stringMatching(/^grafana\/k6:\d/),
    pullSecrets: [],
  })
  const mirrored = {
    image: { repository: 'mirror.example.com/n8n', tag: '0.221.2', pullSecrets: [{ name: 'mine' }] },
    loadtest: { k6: { image: { repository: 'mirror.example.com/k6', tag: '1.0.0' } } },
  }
  expect(await imagesOf(mirrored)).toMatchObject({
    n8n: 'mirror.example.com/n8n:0.221.2',
    k6: 'mirror.example.com/k6:1.0.0',
    pullSecrets: [{ name: 'mine' }],
  })
})

test('without kubectl it is said so before anything starts', async () => {
  const { PATH } = process.env
  process.env.PATH = '/nowhere'
  const refusal = await refusalOf(currentContext).finally(() => (process.env.PATH = PATH))
  expect(refusal).toMatchObject({ code: 'missing-kubectl', exit: 2 })
})
