import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { WrittenSummary } from '../../loadtests/src/model/summary.ts'
import { render } from '../../loadtests/src/chart/render.ts'
import { readRecords } from '../../loadtests/src/run/record-file.ts'
import { lackingImages } from '../support/containers/archives.ts'
import { runtime } from '../support/containers/runtime.ts'
import { loadProfile } from '../../loadtests/src/model/profile.ts'

/**
 * The smallest plan in queue mode, in containers of the chart's own images.
 */

const root = join(import.meta.dirname, '../..')
const { experiment } = await loadProfile(join(root, 'loadtests/profiles/queue-small.yaml'))
/** As Debian has it: the chart's own default cannot be had where these images are made. */
const redis = { type: 'embedded', embedded: { image: { tag: '7.0' } } }
const { workloads } = await render({ ...experiment.base, redis })
const images = [
  ...new Set(workloads.flatMap(({ containers }) => containers.map(({ image }) => `${image.repository}:${image.tag}`))),
]

const reason = lackingImages(images)

const described = reason ? describe.skip : describe

described(
  `n8n-tuned check --engine container, on a plan in queue mode${reason ? ` (not tested: ${reason})` : ''}`,
  () => {
    const dir = join(mkdtempSync(join(tmpdir(), 'n8n-tuned-e2e-')), 'run')
    const rate = 4
    let summary: WrittenSummary

    beforeAll(async () => {
      const args = [
        'check',
        '--profile',
        'queue-small',
        '--set',
        `redis.embedded.image.tag=${redis.embedded.image.tag}`,
        // With its own 150m a worker needs a minute and more to start.
        '--set',
        'worker.resources.limits.cpu=500m',
        '--set',
        'webhook.resources.limits.cpu=500m',
        '--set',
        'main.resources.limits.cpu=500m',
        '--engine',
        'container',
        '--rate',
        String(rate),
        '--quick',
        '--repeat',
        '1',
        '--slo',
        'p95=5s',
        '--out',
        dir,
      ]
      // It ends with 0, or this throws.
      await promisify(execFile)(join(root, 'node_modules/.bin/n8n-tuned'), args, {
        cwd: root,
        env: { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}` },
      })
      summary = JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))
    }, 600_000)
    afterAll(() => rmSync(join(dir, '..'), { recursive: true, force: true }))

    test('meets its objective', () => {
      expect(summary.results.map(({ verdict }) => verdict.holds)).toEqual([true])
    })

    test('accounts for every request, with database, queue and metrics agreeing', () => {
      const [step] = summary.results[0]!.steps.filter(({ purpose }) => purpose === 'measure')
      const { accepted, ...became } = step!.accounting
      expect(accepted).toBe(step!.load.requests)
      expect(accepted).toBeGreaterThan(73)
      expect(became).toMatchObject({ finished: accepted, failed: 0, waiting: 0, lost: 0 })
      expect(summary.environment.warnings.filter((warning) => warning.includes('n8n’s database counts'))).toEqual([])
    })

    test('looks at every container of the plan', async () => {
      const { resources } = summary.results[0]!
      const names = ['main-0', 'postgresql-0', 'redis-0', 'webhook-0', 'worker-0', 'worker-1']
      expect(resources.map(({ process }) => process).sort()).toEqual(names)
      const seen = (await readRecords(dir))
        .flatMap((record) => (record.type === 'samples' ? [...record.samples] : []))
        .filter(({ cpu, rss }) => cpu !== null && rss !== null && rss > 0)
        .map(({ process }) => process)
      expect([...new Set(seen)].sort()).toEqual(names)
    })

    test('says what n8n ran as', () => {
      expect(summary.environment.engine).toBe(`containers of ${runtime!.program} ${runtime!.version}`)
      expect(readFileSync(join(dir, 'report.html'), 'utf8')).toContain(summary.environment.engine)
    })

    test('leaves no container', () => {
      expect(
        execFileSync(runtime!.program, ['ps', '--all', '--quiet', '--filter', 'name=n8n-tuned-'], { encoding: 'utf8' }),
      ).toBe('')
      expect(existsSync(dir)).toBe(true)
    })
  },
)
