import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { parseAllDocuments } from 'yaml'
import { paths, tool } from '../../loadtests/src/lib/paths.ts'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import { root } from '../support/command.ts'
import { startService, type Service } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary.ts'

/**
 * The command of the nightly Job, as the chart renders it, run as the pod runs it: without a terminal. No line of
 * /etc/passwd names its user, and its /tmp is a volume that `fsGroup` has opened to everybody.
 */

const folder = temporaryFolder()
let service: Service
afterEach(() => service.close())

function commandOf(values: string[]): string[] {
  const given = [
    ...['enabled=true', 'agreed=true', 'image.repository=lab', 'image.tag=latest', 'workflow.name=nightly'],
    ...['workflow.key=ping.json', ...values],
  ]
  const rendered = execFileSync(
    tool('helm'),
    ['template', 'n8n', paths.chart, '--set', given.map((value) => `loadtest.nightly.${value}`).join(',')],
    { encoding: 'utf8', maxBuffer: 2 ** 26 },
  )
  const job = parseAllDocuments(rendered)
    .map((document) => document.toJS())
    .find((object) => object?.kind === 'CronJob' && object.metadata.name.endsWith('-nightly'))
  return job.spec.jobTemplate.spec.template.spec.containers[0].args
}

const volume = join(folder, 'tmp')
/** It may still read the clone, which the image has in it. */
const inPod = `
  mkdir -p "$VOLUME"
  mount -t tmpfs -o mode=2777,gid=65532 tmpfs "$VOLUME"
  chown 65532:65532 "$VOLUME/.."
  exec setpriv --reuid 65532 --regid 65532 --clear-groups \\
    --securebits=+no_setuid_fixup --inh-caps=+dac_read_search --ambient-caps=+dac_read_search \\
    env HOME="$VOLUME" TMPDIR="$VOLUME" KUBERNETES_SERVICE_HOST=10.0.0.1 "$@"`

/** What the pod has: the workflow in its folder, this n8n by its name, and a folder for runs. */
async function runIn(runs: string, args: string[]) {
  cpSync(join(root, 'workflows/ping-webhook.json'), join(folder, 'ping.json'))
  const here = args.map((arg) =>
    arg.replace('http://n8n-n8n-tuned-main:5678', service.url.replace(/\/$/, '')).replace('/workflow/', `${folder}/`),
  )
  const out = join(folder, runs)
  // Steps of seconds are enough to see the command work.
  const lab = [process.execPath, join(root, 'loadtests/src/main.ts')]
  const { exitCode, stderr } = await execa(
    'unshare',
    ['--mount', 'sh', '-euc', inPod, 'sh', ...lab, ...here, '--quick', '--repeat=1', `--out=${out}`],
    { stdin: 'ignore', reject: false, env: { VOLUME: volume } },
  )
  return { exitCode, stderr, out }
}

test('a check of an n8n that keeps up ends well, and its run is kept', async () => {
  service = await startService(() => ({}))
  const { exitCode, stderr, out } = await runIn('held', commandOf(['rate=8', 'slo=p95=2s']))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stderr).toContain('This run reaches what the lab did not start')
  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary
  expect(summary.results[0]!.workflow).toBe('ping')
  expect(readdirSync(out)).toEqual(expect.arrayContaining(['report.html', 'summary.json', 'run.ndjson']))
}, 240_000)
