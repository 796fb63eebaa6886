import type { Api } from '../../../../loadtests/src/target/kubernetes/api.ts'
import { jobGenerator } from '../../../../loadtests/src/target/kubernetes/generator.ts'

const summary = JSON.stringify({ metrics: {}, state: {} })

/** k6 in a cluster where it says this and ends so; what the lab made there and removed. */
async function running({ log = summary, exitCode = 0, reason = 'Completed', message = undefined as string | undefined }) {
  const made: any[] = []
  const removed: string[] = []
  const terminated = { exitCode, reason, message }
  const api = {
    get: async () => ({ items: [{ metadata: { name: 'k6-0-abcde' }, status: { containerStatuses: [{ state: { terminated } }] } }] }),
    create: async (_: string, object: any) => void made.push(object),
    remove: async (path: string) => void removed.push(path),
    follow: async (_: string, onText: (text: string) => void) => onText(log),
  } as unknown as Api
  const images = { n8n: 'n8nio/n8n:2.41.1', k6: 'grafana/k6:1.8.1', pullPolicy: 'IfNotPresent', pullSecrets: [] }
  const generator = jobGenerator({ api, context: 'test', namespace: 'n8n-tuned-1', images, files: 'scenarios' })
  const generated = await generator.run({ scenario: 'closed', env: { VUS: '8' }, signal: new AbortController().signal })
  return { generated, made, removed }
}

test('k6 is a Job over the project’s scenarios, told what to do in its environment, and removed at its end', async () => {
  const { made, removed } = await running({})
  const [{ kind, spec }] = made
  const [container] = spec.template.spec.containers
  expect([kind, container.image, container.args.at(-1)]).toEqual(['Job', 'grafana/k6:1.8.1', '/files/closed.ts'])
  expect(container.env).toEqual([{ name: 'VUS', value: '8' }, { name: 'SUMMARY', value: 'stdout' }])
  expect(removed).toEqual(['/apis/batch/v1/namespaces/n8n-tuned-1/jobs/k6-0'])
})

test.each([['by itself', 0], ['stopped from outside', 105], ['stopped by a threshold', 99]])('k6 that ended well leaves its summary: %s', async (_, exitCode) => {
  expect((await running({ log: `a warning\n${summary}\n`, exitCode })).generated).toMatchObject({ summary, failed: false, log: ['a warning'] })
})

test('k6 that failed says with what, and its last words', async () => {
  expect((await running({ log: 'GoError: no such file\n', exitCode: 107, reason: 'Error' })).generated).toMatchObject({ summary: null, failed: true, ended: 'exit code 107', log: ['GoError: no such file'] })
})

test('k6 that could not even start is told in Kubernetes’ words', async () => {
  expect((await running({ log: '', exitCode: 128, reason: 'StartError', message: 'exec: "k6": not found' })).generated).toMatchObject({ failed: true, log: ['exec: "k6": not found'] })
})
