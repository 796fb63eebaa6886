import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { until } from '../../../loadtests/src/lib/await.ts'
import { patchFiles } from '../../support/patch-files.ts'
import { runtime } from '../../support/runtime.ts'
import { startN8n } from '../../support/n8n.ts'
import { temporaryFolder } from '../../support/temporary.ts'

interface Decision {
  name: string
  state: 'applied' | 'skipped' | 'off'
  reason?: string
}
interface Loader {
  decideAll(root: string, asked: string): Decision[]
  locate(root: string, place: string): string
  tell(decisions: Decision[]): string
}

const folder = temporaryFolder()
const loaderFile = patchFiles(join(folder, 'patches'))
// The loader hooks Node's own module system, which Jest replaces: a plain require of Node loads it.
const requirePlainly = createRequire(import.meta.url)
const verified = JSON.parse(readFileSync(join(folder, 'patches/verified-n8n.json'), 'utf8')) as Record<
  string,
  { n8n: string[]; modules: Record<string, string[]> }
>
const patchesOf = (version: string) => Object.keys(verified).filter((name) => verified[name]!.n8n.includes(version))
const versions = [...new Set(Object.values(verified).flatMap(({ n8n }) => n8n))]

let loader: Loader
beforeAll(() => {
  loader = requirePlainly(loaderFile) as Loader
})

/** The modules that patches change, alone, where n8n has them. */
function smallN8n(version: string, name: string): { root: string; places: Map<string, string> } {
  const modules = realpathSync(join(runtime(version).folder, 'node_modules'))
  const copied = join(folder, name, 'node_modules')
  const places = new Map<string, string>()
  const all = patchesOf(version).flatMap((patch) => Object.keys(verified[patch]!.modules))
  const copy = (place: string) => {
    const file = loader.locate(join(modules, 'n8n'), place)
    const to = join(copied, relative(modules, file))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(file, to)
    return to
  }
  for (const place of new Set(all)) {
    // The packages on the way there are looked for, too.
    const packages = place.split(' > ').slice(0, -1)
    packages.forEach((_, index) => copy([...packages.slice(0, index + 1), 'package.json'].join(' > ')))
    places.set(place, copy(place))
  }
  return { root: join(copied, 'n8n'), places }
}

describe.each(versions)('the patches on n8n %s', (version) => {
  const patches = patchesOf(version)
  const pairs = patches.flatMap((patch) =>
    Object.keys(verified[patch]!.modules).map((place) => [patch, place] as const),
  )
  let n8n: ReturnType<typeof smallN8n>
  const states = (asked = patches) =>
    Object.fromEntries(loader.decideAll(n8n.root, asked.join(',')).map(({ name, state }) => [name, state]))

  beforeAll(() => {
    n8n = smallN8n(version, version)
  })

  test('are all applied where each module is the one they were verified on', () => {
    expect(states()).toEqual(Object.fromEntries(patches.map((name) => [name, 'applied'])))
  })

  test.each(pairs)('%s is skipped whole when one byte of %s is another', (patch, place) => {
    const file = n8n.places.get(place)!
    const content = readFileSync(file)
    const changed = Buffer.from(content)
    changed[changed.length - 1]! ^= 1
    writeFileSync(file, changed)
    try {
      const sharing = patches.filter((name) => place in verified[name]!.modules)
      expect(states()).toEqual(
        Object.fromEntries(patches.map((name) => [name, sharing.includes(name) ? 'skipped' : 'applied'])),
      )
      const [decision] = loader.decideAll(n8n.root, patch) as [Decision & { files?: unknown }]
      expect(decision.reason).toBe(`${place} is not one it was verified on`)
      expect(decision.files).toBeUndefined()
      expect(loader.tell([decision])).toContain(`Skipped: ${patch} (${place} is not one it was verified on)`)
    } finally {
      writeFileSync(file, content)
    }
  })

  test('change every module that they say they change', () => {
    const script = `
      const { decideAll } = require(process.env.LOADER)
      const unchanged = decideAll(process.env.ROOT, process.env.PATCHES).flatMap(({ name, files }) => [...files])
        .filter(([file, { edit, read }]) => {
          const text = require('fs').readFileSync(file, 'utf8')
          return (edit && edit(text) === text) || (read && read(text) === text)
        })
      console.log(JSON.stringify(unchanged.map(([file]) => file)))`
    const env = { PATH: process.env.PATH, LOADER: loaderFile, ROOT: n8n.root, PATCHES: patches.join(',') }
    expect(JSON.parse(execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8' }))).toEqual([])
  })
})

describe('the loader', () => {
  test('switches every patch off with one word', () => {
    const decisions = loader.decideAll('/nowhere', 'off')
    expect(decisions.map(({ state }) => state)).toEqual(Object.keys(verified).map(() => 'off'))
    expect(loader.tell(decisions)).toBe('n8n-tuned: patches are off.')
  })

  test('skips a patch that it does not have', () => {
    expect(loader.decideAll('/nowhere', 'fasterEverything')).toEqual([
      { name: 'fasterEverything', state: 'skipped', reason: 'no such patch' },
    ])
  })

  test('leaves other programs alone', () => {
    const env = { PATH: process.env.PATH, N8N_TUNED_PATCHES: 'fewerQueries', NODE_OPTIONS: `--require ${loaderFile}` }
    expect(
      execFileSync(process.execPath, ['-p', '1 + 1'], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    ).toBe('2\n')
  })

  test('has n8n start without patches where its files are broken', () => {
    const broken = patchFiles(join(folder, 'broken'))
    writeFileSync(join(folder, 'broken/verified-n8n.json'), '{')
    const { node, n8n } = runtime('2.41.1')
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      N8N_TUNED_PATCHES: 'fewerQueries',
      NODE_OPTIONS: `--require ${broken}`,
    }
    expect(execFileSync(node, [n8n, '--version'], { env, encoding: 'utf8' })).toBe('2.41.1\n')
  })
})

describe('an n8n that runs', () => {
  const patches = patchesOf('2.41.1').join(',')
  const metricsOf = async (url: string) =>
    (await (await fetch(`${url}/metrics`)).text()).split('\n').filter((line) => line.startsWith('n8n_tuned_'))

  test('says at its start and in its metrics which patches are applied and which are skipped', async () => {
    const files = patchFiles(join(folder, 'one-changed'))
    const list = JSON.parse(readFileSync(join(folder, 'one-changed/verified-n8n.json'), 'utf8')) as typeof verified
    list.fewerQueries!.modules['dist/workflow-runner.js'] = ['another']
    writeFileSync(join(folder, 'one-changed/verified-n8n.json'), JSON.stringify(list))
    const n8n = await startN8n('2.41.1', [], {
      env: { N8N_TUNED_PATCHES: patches, NODE_OPTIONS: `--require ${files}` },
    })
    try {
      expect(n8n.log()).toMatch(
        new RegExp(
          '^n8n-tuned: patches applied: .*fastIsolates.*\\. '
            + 'Skipped: fewerQueries \\(dist/workflow-runner\\.js is not one it was verified on\\)\\.$',
          'm',
        ),
      )
      expect(await until(async () => (await metricsOf(n8n.url)).length > 0, { timeout: 10_000, every: 50 })).toBe(true)
      expect((await metricsOf(n8n.url)).sort()).toEqual([
        'n8n_tuned_oldest_unanswered_webhook_seconds 0',
        'n8n_tuned_patch{patch="confirmCrashes",state="applied"} 1',
        'n8n_tuned_patch{patch="fastIsolates",state="applied"} 1',
        'n8n_tuned_patch{patch="fewerQueries",state="skipped",reason="dist/workflow-runner.js is not one it '
          + 'was verified on"} 1',
        'n8n_tuned_patch{patch="freeJobResults",state="applied"} 1',
        'n8n_tuned_patch{patch="keepLostRequests",state="applied"} 1',
        'n8n_tuned_patch{patch="quietSqliteDriver",state="applied"} 1',
        'n8n_tuned_patch{patch="refuseExcessWebhooks",state="applied"} 1',
        'n8n_tuned_patch{patch="waitForPostgresql",state="applied"} 1',
        'n8n_tuned_webhooks_refused_total 0',
      ])
    } finally {
      await n8n.stop()
    }
  })

  test('says that they are off', async () => {
    const n8n = await startN8n('2.41.1', [], {
      env: { N8N_TUNED_PATCHES: 'off', NODE_OPTIONS: `--require ${loaderFile}` },
    })
    try {
      expect(n8n.log()).toContain('n8n-tuned: patches are off.')
      expect((await metricsOf(n8n.url))[0]).toMatch(/state="off"} 1$/)
      expect(existsSync(loaderFile)).toBe(true)
    } finally {
      await n8n.stop()
    }
  })
})
