import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { render, ValuesRefused, valuesNamed } from '../../../loadtests/src/chart/render.ts'
import { refusalOf } from '../../support/refusal.ts'
import type { Values } from '../../../loadtests/src/model/experiment.ts'

/** With the real Helm and the real chart: what the lab reads of one has to be what the other says. */

async function refusedWith(values: Values): Promise<string> {
  const error: unknown = await render(values).then(
    () => 'it was rendered',
    (reason) => reason,
  )
  if (!(error instanceof ValuesRefused))
    throw new Error(`Expected the chart to refuse ${JSON.stringify(values)}, got ${error}`)
  return error.message
}

describe('the chart as it is', () => {
  test('is one main with n8n, its port, its volume and its limits', async () => {
    const { workloads, services } = await render({})
    const [main] = workloads
    expect(workloads).toHaveLength(1)
    expect(main).toMatchObject({
      component: 'main',
      replicas: 1,
      volumes: expect.arrayContaining([expect.objectContaining({ kind: 'claim' })]),
    })
    expect(main!.containers[0]).toMatchObject({
      image: { tag: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
      limits: { cpu: 1, memory: 2 ** 30 },
      readiness: { path: '/healthz/readiness' },
    })
    expect(services).toContainEqual(expect.objectContaining({ component: 'main', targetPort: 'http' }))
  })

  test('is what the values say', async () => {
    const { workloads } = await render({
      image: { tag: '0.221.2' },
      executions: { process: 'own' },
      main: { resources: { limits: { memory: '2Gi' } } },
    })
    expect(workloads[0]!.containers[0]).toMatchObject({
      image: { tag: '0.221.2' },
      env: { EXECUTIONS_PROCESS: 'own' },
      limits: { memory: 2 ** 31 },
    })
  })

  test('brings its secrets along, resolved', async () => {
    const { workloads } = await render({ encryptionKey: { value: 'sesame' } })
    expect(workloads[0]!.containers[0]!.env).toMatchObject({ N8N_ENCRYPTION_KEY: 'sesame' })
  })

  test('leaves nothing of the values behind, which may be secret', async () => {
    await render({ encryptionKey: { value: 'sesame-of-this-test' } })
    await refusedWith({ encryptionKey: { value: 'sesame-of-this-test' }, nonsense: 1 })
    const files = globSync(join(tmpdir(), 'n8n-tuned-values-*', '*'))
    const contents = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => 'gone, as it should be')))
    expect(contents.filter((content) => content.includes('sesame-of-this-test'))).toEqual([])
  })
})

describe('a refusal', () => {
  test('of a template is the chart’s sentences and nothing of Helm’s', async () => {
    const refusal = await refusedWith({
      image: { tag: '2.41.1' },
      executions: { process: 'own' },
      main: { heap: { megabytes: 4000 } },
    })
    const sentences = refusal.split('\n')
    expect(sentences).toHaveLength(2)
    expect(sentences[0]).toMatch(/^executions\.process: Expected .+, got "own".+\.$/)
    expect(sentences[1]).toMatch(/^main\.heap\.megabytes: Expected .+, got 4000.+\.$/)
  })

  test('of a helper template is, too', async () => {
    expect(await refusedWith({ image: { tag: 'latest' } })).toMatch(/^image\.tag: Expected .+, got "latest"\..*$/)
  })

  test('of the schema says what is wrong of which value', async () => {
    expect(await refusedWith({ main: { replicas: 'two' } })).toBe('main.replicas: Expected integer, got string.')
    expect(await refusedWith({ tuning: { tier: 'fast' } })).toBe(
      "tuning.tier: value must be one of 'n8n-defaults', 'tuned', 'lean', 'patched'.",
    )
  })

  test('names every value that there is not', async () => {
    const refusal = await refusedWith({ main: { tail: 1 }, ingress: { tls: { secretname: 'a' } }, speed: 3 })
    expect(refusal.split('\n').sort()).toEqual([
      'ingress.tls.secretname: there is no such value. There are enabled, secretName, secretNames, atBalancer.',
      expect.stringMatching(/^main\.tail: there is no such value\. There are .*replicas.*\.$/),
      expect.stringMatching(/^speed: there is no such value\. There are .*tuning.*\.$/),
    ])
  })

  test('is none where it is this machine that cannot run what was rendered', async () => {
    const refusal = await refusalOf(() => render({ encryptionKey: { existingSecret: { name: 'theirs' } } }))
    expect(refusal.code).toBe('not-on-this-target')
  })
})

describe('the values that a refusal names', () => {
  test.each([
    ['a value that there is not', { main: { wings: 2 } }, ['main', 'wings']],
    ['one at the top', { wings: 2 }, ['wings']],
    ['a wrong type', { main: { replicas: 'two' } }, ['main', 'replicas']],
    [
      'a wrong type deep down',
      { main: { resources: { limits: { memory: 'much' } } } },
      ['main', 'resources', 'limits', 'memory'],
    ],
    [
      'a value that this n8n does not know',
      { image: { tag: '2.41.1' }, executions: { process: 'own' } },
      ['executions', 'process'],
    ],
    ['one whose fix names another, deeper one', { main: { heap: { megabytes: 4000 } } }, ['main', 'heap', 'megabytes']],
    ['a tag that is no version', { image: { tag: 'latest' } }, ['image', 'tag']],
  ])('begin with the one that is refused: %s', async (_, values, path) => {
    expect(valuesNamed(await refusedWith(values))[0]).toEqual(path)
  })

  test('go on with those that its fix speaks of', async () => {
    expect(valuesNamed(await refusedWith({ main: { heap: { megabytes: 4000 } } }))).toContainEqual([
      'main',
      'resources',
      'limits',
      'memory',
    ])
  })

  test('are none where it names none', () => {
    expect(valuesNamed('Error: something else')).not.toContainEqual(['something', 'else'])
  })
})
