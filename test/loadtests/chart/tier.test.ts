import { stringify } from 'yaml'
import { planFrom } from '../../../loadtests/src/chart/manifests.ts'
import { render } from '../../../loadtests/src/chart/render.ts'

/** A Deployment with these annotations and variables, as the chart renders it. */
const planned = (annotations: Record<string, string>, env: { name: string; value: string }[] = []) =>
  planFrom(
    stringify({
      kind: 'Deployment',
      metadata: { name: 'n8n-main' },
      spec: {
        template: {
          metadata: { annotations, labels: { 'app.kubernetes.io/component': 'main' } },
          spec: { containers: [{ name: 'n8n', image: 'n8nio/n8n:2.41.1', env }] },
        },
      },
    }),
  )

test('the tier of a plan is what the chart wrote on its pods', () => {
  const { tier } = planned({
    'n8n-tuned/tier': 'lean',
    'n8n-tuned/gives-up': 'the history of executions, the insights page',
  })
  expect(tier).toEqual({
    name: 'lean',
    givesUp: ['the history of executions', 'the insights page'],
    patches: [],
    image: 'n8nio/n8n:2.41.1',
  })
})

test('its patches are those that n8n is asked to apply, and none where they are switched off', () => {
  const asked = (value: string) =>
    planned({ 'n8n-tuned/tier': 'patched' }, [{ name: 'N8N_TUNED_PATCHES', value }]).tier!.patches
  expect(asked('fewerQueries,fastIsolates')).toEqual(['fewerQueries', 'fastIsolates'])
  expect(asked('off')).toEqual([])
})

test('what is none of the chart has none', () => {
  expect(planned({}).tier).toBeNull()
})

test('the real chart says what its tiers give up', async () => {
  expect((await render({})).tier).toMatchObject({ name: 'tuned', givesUp: [], patches: [] })
  const { tier } = await render({ image: { tag: '2.41.1' }, tuning: { tier: 'patched' } })
  expect(tier).toMatchObject({ name: 'patched', patches: expect.arrayContaining(['fewerQueries']) })
  expect(tier!.givesUp).toContain('the history of successful executions')
})

test('and which chart and image they are of, with its digest', async () => {
  const digest = `sha256:${'0'.repeat(64)}`
  const { tier } = await render({ image: { tag: '2.41.1', digest } })
  expect(tier).toMatchObject({
    chart: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    image: `n8nio/n8n:2.41.1@${digest}`,
  })
})
