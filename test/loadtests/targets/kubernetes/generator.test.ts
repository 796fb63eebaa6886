import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import type { FoundWarning } from '../../../../loadtests/src/model/warning.ts'
import type { Api } from '../../../../loadtests/src/targets/kubernetes/api.ts'
import { jobGenerator, piecesOf } from '../../../../loadtests/src/targets/kubernetes/generator.ts'
import type { ContainerPlace } from '../../../../loadtests/src/targets/kubernetes/kubectl.ts'
import type { Terminated } from '../../../../loadtests/src/targets/kubernetes/objects.ts'
import { tool } from '../../../../loadtests/src/lib/paths.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const folder = temporaryFolder()
const own = { name: 'n8n-tuned-1', namespace: 'lab' }
const summary = JSON.stringify({ metrics: {}, state: {} })

/** A cluster where k6 says this and ends so; what the lab made there and removed. */
function cluster({
  log = summary,
  code = 0 as number | undefined,
  terminated = { exitCode: 0, reason: 'Completed', message: `${code}\n` } as Terminated,
  deaf = false,
  lost = undefined as Error | undefined,
  full = false,
}) {
  const made: any[] = []
  const removed: string[] = []
  const told: string[] = []
  const unseen: FoundWarning[] = []
  const noRoom = [
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '', lastTransitionTime: '2026-01-01' },
  ]
  const isLarge = () => made.at(-1).spec.template.spec.containers[0].resources.requests.cpu === '1'
  const pod = (index: number) => ({
    metadata: {
      name: `k6-0-${index}-abcde`,
      annotations: { 'batch.kubernetes.io/job-completion-index': String(index) },
    },
    status: full && isLarge() ? { conditions: noRoom } : { containerStatuses: [{ name: 'k6', state: { terminated } }] },
  })
  const api = {
    list: async () => Array.from({ length: made.at(-1).spec.completions }, (_, index) => pod(index)).reverse(),
    find: async () => pod(0),
    create: async (_: string, object: any) => void made.push(object),
    remove: async (path: string) => void removed.push(path),
    follow: async (_: string, onText: (text: string) => void) => {
      if (lost) throw lost
      onText(log)
    },
  } as unknown as Api
  const images = { n8n: 'n8nio/n8n:2.41.1', k6: 'grafana/k6:1.8.1', pullPolicy: 'IfNotPresent', pullSecrets: [] }
  const exec = async ({ pod: name }: ContainerPlace, script: string) => (
    told.push(`${name}: ${script}`),
    { failed: deaf, stderr: 'gone' }
  )
  return {
    made,
    removed,
    told,
    unseen,
    generator: (parts?: number) =>
      jobGenerator({
        cluster: { api, context: 'test', close() {} },
        own,
        images,
        files: 'scenarios',
        parts,
        onUnseen: (warning) => unseen.push(warning),
        exec,
      }),
  }
}

const order = () => ({ scenario: 'closed', env: { VUS: '8' }, signal: new AbortController().signal })

async function running(said: Parameters<typeof cluster>[0]) {
  const { generator, ...rest } = cluster(said)
  const [generated] = await generator().run(order())
  return { generated: generated!, ...rest }
}

const jobsIn = (made: any[]) => made.filter(({ kind }) => kind === 'Job')
const secretsIn = (made: any[]) => made.filter(({ kind }) => kind === 'Secret')

/** Runs the Job's own script in a shell of this machine, with a k6 that says what it was given. */
async function inPod(made: any[], k6: string): Promise<{ said: string; message: string }> {
  const place = await mkdtemp(join(folder, 'pod-'))
  const here = (text: string) =>
    text.replace(/\/(secrets|tmp|dev\/termination-log)(?=[/\n]|$)/g, (path) => place + path)
  for (const path of ['secrets', 'tmp', 'dev']) await mkdir(join(place, path))
  for (const { stringData } of secretsIn(made))
    for (const [name, text] of Object.entries(stringData))
      await writeFile(join(place, 'secrets', name), here(String(text)))
  await writeFile(join(place, 'k6'), `#!/bin/sh\n${k6}\n`, { mode: 0o755 })
  const { command, args, env: given } = jobsIn(made)[0].spec.template.spec.containers[0]
  const [, , script] = command
  const variables = Object.fromEntries(given.map(({ name, value }: Record<string, string>) => [name, here(value!)]))
  const env = { ...variables, PATH: `${place}:/usr/bin:/bin`, JOB_COMPLETION_INDEX: '0' }
  const { stdout } = await execa('sh', ['-c', here(script), 'k6', ...args], { env, extendEnv: false, cwd: place })
  return { said: stdout, message: await readFile(join(place, 'dev/termination-log'), 'utf8') }
}

test('k6 is a Job over the project’s scenarios, told what to do by its environment, removed at its end', async () => {
  const { made, removed } = await running({})
  const [{ spec }] = jobsIn(made)
  const [container] = spec.template.spec.containers
  expect([container.image, spec.completionMode, spec.completions]).toEqual(['grafana/k6:1.8.1', 'Indexed', 1])
  const said = await inPod(made, 'echo "$VUS, $SUMMARY, $GOMEMLIMIT: $*"')
  expect(said.said).toBe(
    '8, stdout, 768MiB: run --quiet --no-usage-report --log-format=raw --log-output=stdout --address= '
      + '/files/closed.ts',
  )
  expect(removed).toEqual(['/apis/batch/v1/namespaces/lab/jobs/n8n-tuned-1-k6-0'])
})

test('k6’s exit code is the container’s last word, for a Job ends all its pods with the first that fails', async () => {
  const { made } = await running({})
  expect((await inPod(made, 'exit 105')).message).toBe('105\n')
})

test('k6 that is asked to end is waited for, with the exit code that it ends with', async () => {
  const { made } = await running({})
  const ends = 'trap "exit 105" TERM; kill -INT $PPID; while :; do sleep 0.05; done'
  expect((await inPod(made, ends)).message).toBe('105\n')
})

test('it reserves what it may use, away from n8n and on nodes of its own if there are any', async () => {
  const { made } = await running({})
  const { containers, affinity, tolerations } = jobsIn(made)[0].spec.template.spec
  expect(containers[0].resources.requests).toEqual(containers[0].resources.limits)
  expect(JSON.stringify(affinity.podAntiAffinity)).toContain('"app.kubernetes.io/name":"n8n-tuned"')
  expect(tolerations).toEqual([{ key: 'n8n-tuned/generator', operator: 'Exists' }])
})

test('where no node has room for that it reserves little, and says so', async () => {
  const { made, unseen, generated } = await running({ full: true })
  expect(jobsIn(made).map(({ spec }) => spec.template.spec.containers[0].resources.requests.cpu)).toEqual(['1', '100m'])
  expect(unseen).toEqual([{ code: 'no-room-for-generator' }])
  expect(generated.failed).toBe(false)
})

test('k6 says all on one stream, so that nothing gets into the middle of its summary', async () => {
  const { made } = await running({})
  const { said } = await inPod(made, 'printf "%s\\n" "$@"')
  const args = said.split('\n').slice(0, -1)
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

test('what it sends is in Secrets, in pieces that each may be so large, and whole for k6', async () => {
  const { made, removed, generator } = cluster({})
  const requests = JSON.stringify({ calls: ['ä'.repeat(500_000), 'é'] })
  await generator().run({ ...order(), requests })
  const pieces = secretsIn(made)
  expect(pieces).toHaveLength(2)
  for (const { stringData } of pieces) expect(JSON.stringify(stringData).length).toBeLessThan(2 ** 20)
  const { said } = await inPod(made, 'sha256sum <"$REQUESTS"')
  expect(said.split(' ')[0]).toBe(createHash('sha256').update(requests).digest('hex'))
  expect(removed.filter((path) => path.includes('/secrets/'))).toHaveLength(2)
})

test('a text is cut between its characters', () => {
  expect(piecesOf('aäb', 2)).toEqual(['a', 'ä', 'b'])
  expect(piecesOf('abc', 10)).toEqual(['abc'])
})

test.each([
  ['by itself', 0],
  ['stopped from outside', 105],
  ['stopped by a threshold', 99],
])('k6 that ended well leaves its summary: %s', async (_, code) => {
  expect((await running({ log: `a warning\n${summary}\n`, code })).generated).toMatchObject({
    summary,
    failed: false,
    log: ['a warning'],
  })
})

test('k6 that failed says with what, and its last words', async () => {
  expect((await running({ log: 'GoError: no such file\n', code: 107 })).generated).toMatchObject({
    summary: null,
    failed: true,
    killed: false,
    ended: 'exit code 107',
    log: ['GoError: no such file'],
  })
})

test('k6 that was killed, alone or with its container, is told as that', async () => {
  expect((await running({ code: 137 })).generated).toMatchObject({ killed: true })
  const terminated = { exitCode: 137, reason: 'OOMKilled' }
  expect((await running({ terminated })).generated).toMatchObject({ killed: true, ended: 'no memory left' })
})

test('k6 that could not even start is told in Kubernetes’ words', async () => {
  const terminated = { exitCode: 128, reason: 'StartError', message: 'exec: "sh": not found' }
  expect((await running({ log: '', terminated })).generated).toMatchObject({
    failed: true,
    log: ['exec: "sh": not found'],
  })
})

describe('several parts', () => {
  test('are pods of one Job, each with its number, that wait until all are told to begin', async () => {
    const { generator, made, removed, told } = cluster({})
    expect(await generator(2).run(order())).toMatchObject([
      { summary, failed: false },
      { summary, failed: false },
    ])
    const [{ spec }] = jobsIn(made)
    expect([spec.completions, spec.parallelism]).toEqual([2, 2])
    const [, , script] = spec.template.spec.containers[0].command
    expect(script).toMatch(/PART=\$JOB_COMPLETION_INDEX\nuntil \[ -e \/tmp\/go \]/)
    expect(told).toEqual(['k6-0-0-abcde: touch /tmp/go', 'k6-0-1-abcde: touch /tmp/go'])
    expect(removed).toHaveLength(1)
  })

  test('fail where one cannot be told to begin, and all end', async () => {
    const { generator, removed } = cluster({ deaf: true })
    await expect(generator(2).run(order())).rejects.toMatchObject({ code: 'never-ready', log: ['gone'] })
    expect(removed).toHaveLength(1)
  })
})
