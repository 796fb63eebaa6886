import { execa } from 'execa'
import type { Api } from '../../../../loadtests/src/targets/kubernetes/api.ts'
import { jobGenerator } from '../../../../loadtests/src/targets/kubernetes/generator.ts'
import { tool } from '../../../../loadtests/src/lib/paths.ts'

const home = { name: 'n8n-tuned-1', namespace: 'lab' }
const summary = JSON.stringify({ metrics: {}, state: {} })

/** k6 in a cluster where it says this and ends so; what the lab made there and removed. */
function cluster({
  log = summary,
  exitCode = 0,
  reason = 'Completed',
  message = undefined as string | undefined,
  deaf = false,
  lost = undefined as Error | undefined,
}) {
  const made: any[] = []
  const removed: string[] = []
  const terminated = { exitCode, reason, message }
  const api = {
    get: async () => ({
      items: [{ metadata: { name: 'k6-0-abcde' }, status: { containerStatuses: [{ state: { terminated } }] } }],
    }),
    create: async (_: string, object: any) => void made.push(object),
    remove: async (path: string) => void removed.push(path),
    follow: async (_: string, onText: (text: string) => void) => {
      if (lost) throw lost
      onText(log)
    },
  } as unknown as Api
  const images = { n8n: 'n8nio/n8n:2.41.1', k6: 'grafana/k6:1.8.1', pullPolicy: 'IfNotPresent', pullSecrets: [] }
  const told: string[] = []
  const exec = async (_inPod: string[], script: string) => (told.push(script), { failed: deaf, stderr: 'gone' })
  return {
    made,
    removed,
    told,
    generator: (parts?: number) =>
      jobGenerator({ api, context: 'test', home, images, files: 'scenarios', parts, exec }),
  }
}

const order = () => ({ scenario: 'closed', env: { VUS: '8' }, signal: new AbortController().signal })

async function running(said: Parameters<typeof cluster>[0]) {
  const { generator, ...rest } = cluster(said)
  const [generated] = await generator().run(order())
  return { generated, ...rest }
}

test('k6 is a Job over the project’s scenarios, told by its environment what to do, removed at its end', async () => {
  const { made, removed } = await running({})
  const [{ kind, spec }] = made
  const [container] = spec.template.spec.containers
  expect([kind, container.image, container.args.at(-1)]).toEqual(['Job', 'grafana/k6:1.8.1', '/files/closed.ts'])
  expect(container.env).toEqual([
    { name: 'GOGC', value: '1000' },
    { name: 'GOMEMLIMIT', value: '768MiB' },
    { name: 'VUS', value: '8' },
    { name: 'SUMMARY', value: 'stdout' },
  ])
  expect(removed).toEqual(['/apis/batch/v1/namespaces/lab/jobs/n8n-tuned-1-k6-0'])
})

test('k6 says all on one stream, so that nothing gets into the middle of its summary', async () => {
  const { made } = await running({})
  const args: string[] = made[0].spec.template.spec.containers[0].args.slice(0, -1)
  const crossed = `
    export const options = { thresholds: { iterations: [{ threshold: 'count<1', abortOnFail: true }] } }
    export default function () { console.log('told') }
    export const handleSummary = () => ({ stdout: 'the summary' })`
  const { stdout, stderr, exitCode } = await execa(tool('k6'), [...args, '-'], { input: crossed, reject: false })
  expect(exitCode).toBe(99)
  expect(stdout).toMatch(/told\n[^]*the summary[^]*thresholds on metrics/)
  expect(stderr).toBe('')
})

test('where its log cannot be followed to the end, nothing goes on that would keep the lab from ending', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  await expect(running({ lost: new Error('the stream was closed') })).rejects.toThrow('the stream was closed')
  expect(timers()).toBe(before)
})

test('what it sends is in a Secret, seen by k6 alone and removed at its end', async () => {
  const { made, removed, generator } = cluster({})
  await generator().run({ ...order(), requests: '{"calls":[]}' })
  const [secret, { spec }] = made
  expect(secret).toMatchObject({ kind: 'Secret', stringData: { 'requests.json': '{"calls":[]}' } })
  const {
    containers: [container],
    volumes,
  } = spec.template.spec
  expect(container.env).toContainEqual({ name: 'REQUESTS', value: '/secrets/requests.json' })
  expect(volumes).toContainEqual({ name: 'secret', secret: { secretName: 'n8n-tuned-1-k6-0' } })
  expect(removed.at(-1)).toBe('/api/v1/namespaces/lab/secrets/n8n-tuned-1-k6-0')
})

test.each([
  ['by itself', 0],
  ['stopped from outside', 105],
  ['stopped by a threshold', 99],
])('k6 that ended well leaves its summary: %s', async (_, exitCode) => {
  expect((await running({ log: `a warning\n${summary}\n`, exitCode })).generated).toMatchObject({
    summary,
    failed: false,
    log: ['a warning'],
  })
})

test('k6 that failed says with what, and its last words', async () => {
  expect((await running({ log: 'GoError: no such file\n', exitCode: 107, reason: 'Error' })).generated).toMatchObject({
    summary: null,
    failed: true,
    ended: 'exit code 107',
    log: ['GoError: no such file'],
  })
})

test('k6 that could not even start is told in Kubernetes’ words', async () => {
  expect(
    (await running({ log: '', exitCode: 128, reason: 'StartError', message: 'exec: "k6": not found' })).generated,
  ).toMatchObject({ failed: true, log: ['exec: "k6": not found'] })
})

describe('several parts', () => {
  test('are Jobs of their own, each with its number, that wait until they are told to begin', async () => {
    const { generator, made, removed, told } = cluster({})
    expect(await generator(2).run(order())).toMatchObject([
      { summary, failed: false },
      { summary, failed: false },
    ])
    const containers = made.map(({ spec }) => spec.template.spec.containers[0])
    const numbers = containers.map(({ env }) => env.find(({ name }: { name: string }) => name === 'PART')?.value)
    expect(numbers).toEqual(['0', '1'])
    expect(containers.every(({ command }) => /until .+ exec k6 "\$@"/.test(command.join(' ')))).toBe(true)
    expect(told).toEqual(['touch /tmp/go', 'touch /tmp/go'])
    expect(removed).toHaveLength(2)
  })

  test('fail where one cannot be told to begin, and all end', async () => {
    const { generator, removed } = cluster({ deaf: true })
    await expect(generator(2).run(order())).rejects.toMatchObject({ code: 'never-ready', log: ['gone'] })
    expect(removed).toHaveLength(2)
  })
})
