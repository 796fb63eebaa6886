import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WrittenSummary } from '../../loadtests/src/model/summary.ts'
import { root } from '../support/command.ts'
import { plantSmallN8n, smallN8n } from '../support/small-n8n/plant.ts'
import type { Bottleneck, Reason } from '../../loadtests/src/model/step.ts'

/** What is measured: a few clients that ask as fast as they are answered, so that something has to be the limit. */
export interface Scene {
  /** Helm values, by their path. */
  values?: Record<string, string | number>
  workflow: string
  /** Clients that ask again as soon as they are answered, or requests a second at random. */
  clients?: number
  rate?: number
  /** One request alone meets it, and these clients do not, so that the lab has to say why. */
  p95?: string
  /** On the small n8n, which answers faster than the generator asks. */
  small?: true
  /** How long each service takes to answer. */
  services?: { p50: string; p95: string }
}

/** A fault that begins with the load. What it returns recovers from it. */
export type Inject = (lab: number) => Promise<() => Promise<void>>

/** Does the lab say that n8n was not its own limit, but whatever else ran on this machine? */
export const isOthers = ({ code }: Pick<Bottleneck, 'code'>): boolean => code === 'others'

/** Runs the lab as its users do, and returns the reasons that it gives. */
export async function brokeBy(scene: Scene, inject?: Inject): Promise<Reason[]> {
  return (await measured(scene, inject)).summary.results[0]!.verdict.reasons
}

/** All that a reader gets of a run. */
export interface Told {
  summary: WrittenSummary
  terminal: string
  report: string
}

/** Runs the lab as its users do, and returns what it says. */
export async function measured(
  { values = {}, workflow, clients, rate, p95 = '5ms', small, services }: Scene,
  inject?: Inject,
): Promise<Told> {
  const folder = await mkdtemp(join(tmpdir(), 'n8n-tuned-bottleneck-'))
  const profile = join(folder, 'profile.yaml')
  const experiment = {
    name: 'bottleneck',
    question: 'What is the limit?',
    ...(small && { base: { image: { tag: smallN8n } } }),
    variants: { it: {} },
    workflows: [workflow],
    load: {
      ...(rate === undefined ? { shape: 'closed', vus: clients } : { shape: 'constant', rate }),
      duration: '10s',
      timeout: '30s',
    },
    slo: { p95, errors: '0.1%' },
    ...(services !== undefined && { outside: { rules: [{ host: '*', latency: services }] } }),
  }
  // JSON is YAML.
  await writeFile(profile, JSON.stringify(experiment))
  const sets = Object.entries(values).flatMap(([path, value]) => ['--set', `${path}=${value}`])
  const out = join(folder, 'run')
  try {
    if (small) plantSmallN8n(join(folder, 'cache'))
    const env: Record<string, string> = small ? { N8N_TUNED_CACHE: join(folder, 'cache') } : {}
    const said = await runLab(['check', '--profile', profile, '--repeat', '1', '--out', out, ...sets], env, inject)
    const summary = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8')) as WrittenSummary
    const [result] = summary.results
    if (!result || result.failure) throw new Error(`Expected the lab to measure, got:\n${said}`)
    return { summary, terminal: said, report: await readFile(join(out, 'report.html'), 'utf8') }
  } finally {
    if (process.env.KEEP === undefined) await rm(folder, { recursive: true, force: true })
  }
}

async function runLab(words: string[], env: Record<string, string>, inject?: Inject): Promise<string> {
  const lab = spawn(join(root, 'node_modules/.bin/node'), ['loadtests/src/main.ts', ...words], {
    cwd: root,
    env: { ...process.env, ...env },
  })
  let said = ''
  let injected: ReturnType<Inject> | undefined
  const listen = (text: string) => {
    said += text
    // The lab says so when the load begins.
    if (inject && /: (\d+ clients|[\d.]+\/s)/.test(said)) injected ??= inject(lab.pid!)
  }
  lab.stdout.setEncoding('utf8').on('data', listen)
  lab.stderr.setEncoding('utf8').on('data', listen)
  await once(lab, 'close')
  const recover = await injected
  await recover?.()
  if (inject && !injected) throw new Error(`Expected the lab to begin its load, got:\n${said}`)
  return said
}
