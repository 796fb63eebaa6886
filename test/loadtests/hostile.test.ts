import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { CommonOptions } from '../../loadtests/src/cli/options.ts'
import { prepare } from '../../loadtests/src/cli/prepare.ts'
import { loadOutside } from '../../loadtests/src/model/outside.ts'
import { writeRequests } from '../../loadtests/src/run/rehearse.ts'
import { seed } from '../../loadtests/src/targets/local/seed.ts'
import { importableCredentials } from '../../loadtests/src/n8n/credentials.ts'
import { ruleBook } from '../../loadtests/src/workload/outside/rules.ts'
import { readyByRule } from '../../loadtests/src/workload/outside/server/respond.ts'
import type { Said } from '../support/command.ts'
import { changesIn, seenAround } from '../support/hostile/changes.ts'
import * as inputs from '../support/hostile/inputs.ts'
import { hostile, randomFrom } from '../support/hostile/texts.ts'
import { inProcess, saying } from '../support/in-process.ts'
import { temporaryFolder, write } from '../support/temporary.ts'
import { cell, end, run, sample, step, T0 } from './fixtures/records.ts'

/**
 * Whatever strangers hand over: each text in it in turn is a path, a control sequence, a formula, a template or a
 * megabyte. Each ends with a result or one message, within seconds, and nothing changes elsewhere.
 * The usual ones are always the same, since what fails here should be due to the change at hand; the night has others.
 * HOSTILE_SEED=… makes others; HOSTILE=… is the number of inputs of each kind, in place of the usual one.
 */

const given = Number(process.env.HOSTILE_SEED ?? 1)
const count = (usual: number) => Number(process.env.HOSTILE ?? usual)
process.stdout.write(`Hostile input: HOSTILE_SEED=${given}\n`)

const folder = temporaryFolder()
const victim = join(folder, 'victim')
await write(victim, 'x.json', 'kept')
await write(victim, 'x', 'kept')
await write(folder, 'index.html', 'kept')
/** Where the lab may write, and nowhere else. */
const own = join(folder, 'a/b/c/own')
mkdirSync(own, { recursive: true })

const before = seenAround(folder, own)
/** Milliseconds of this process: others may use the machine too. */
const longest = 10_000

/** Each input of a kind, one after the other; the test fails with all that went wrong. */
function each(
  kind: string,
  value: unknown,
  usual: number,
  handOver: (value: unknown, dir: string) => Promise<{ exit: number; err: string }>,
): void {
  test(`${kind}: ${count(usual)} of them`, async () => {
    const random = randomFrom(given ^ [...kind].reduce((sum, one) => 31 * sum + one.charCodeAt(0), 7))
    const wrong: string[] = []
    for (const { what, value: one } of hostile(value, count(usual), victim, random)) {
      rmSync(own, { recursive: true, force: true })
      mkdirSync(own, { recursive: true })
      const begun = process.cpuUsage()
      const { exit, err } = await handOver(one, own)
      const { user, system } = process.cpuUsage(begun)
      const took = (user + system) / 1000
      if (![0, 2, 4].includes(exit) || /defect/.test(err)) wrong.push(`${what}: exit ${exit}: ${err.slice(0, 900)}`)
      if (/[\x00-\x08\x0b-\x1f\x7f]/.test(err))
        wrong.push(`${what}: a control character in ${JSON.stringify(err.slice(0, 300))}`)
      if (took > longest) wrong.push(`${what}: took ${Math.round(took)} ms`)
      const changed = changesIn(before, seenAround(folder, own))
      if (changed) wrong.push(`${what}: changed ${changed}`)
    }
    expect(wrong).toEqual([])
  }, 600_000)
}

/** What a check does until n8n starts: all is read, the requests are made, and n8n is handed its files. */
const prepared = (over: Partial<CommonOptions>, dir: string): Promise<Said> =>
  saying(async () => {
    const options = { profile: 'check', target: 'local', metricsUrl: [], values: [], set: {}, workflow: [], ...over }
    const { workflows, credentials } = await prepare(options as CommonOptions)
    writeRequests(dir, workflows)
    await seed(async () => {}, '2.41.1', {
      workflows,
      credentials: importableCredentials(credentials),
      folder: join(dir, 'seed'),
    })
  })

// Reads what does not change from one to the next: n8n's own types, and the files of services.
beforeAll(async () => {
  mkdirSync(own, { recursive: true })
  await prepared({ workflow: [await json('exported.json', inputs.workflows)] }, own)
})

const json = (name: string, value: unknown) => write(own, name, JSON.stringify(value))
const yaml = (name: string, value: unknown) => write(own, name, stringify(value, { aliasDuplicateObjects: false }))

each('workflows of a check', inputs.workflows, 120, async (value, dir) =>
  prepared({ workflow: [await json('exported.json', value)] }, dir),
)

each('a folder of workflows, for init', inputs.workflows, 60, async (value, dir) => {
  for (const [at, one] of [value].flat().entries()) await json(`exports/${at}.json`, one)
  return inProcess('init', join(dir, 'exports'), '--out', join(dir, 'lab'))
})

each('requests', inputs.request, 60, async (value, dir) =>
  prepared({ workflow: ['ping-webhook'], request: await json('request.json', value) }, dir),
)

each('an archive of a browser', inputs.har, 30, async (value, dir) =>
  prepared({ workflow: ['ping-webhook'], request: await json('request.har', value) }, dir),
)

each('credentials', inputs.credentials, 40, async (value, dir) => {
  const workflow = await json('exported.json', inputs.workflows)
  return prepared({ workflow: [workflow], credentials: await json('credentials.json', value) }, dir)
})

each('data tables', inputs.dataTables, 30, async (value, dir) =>
  prepared({ workflow: ['ping-webhook'], dataTables: await json('tables.json', value) }, dir),
)

each('recorded answers', inputs.recorded, 60, async (value, dir) => {
  const file = await yaml('outside.yaml', value)
  const result = await prepared({ workflow: ['ping-webhook'], outside: file }, dir)
  if (result.exit !== 0) return result
  const { rules } = await loadOutside(file)
  const find = ruleBook(rules)
  for (const host of ['api.example.com', 'a'.repeat(1e5)]) find({ method: 'GET', host, path: '/v1/x' })
  for (const rule of rules) readyByRule(rule)
  return result
})

each('a profile', inputs.profile, 60, async (value, dir) => prepared({ profile: await yaml('mine.yaml', value) }, dir))

/** It asks for somebody's word, which it does not get, once it has made a plan of the values. */
each('values of a check', inputs.values, 40, async (value) =>
  inProcess('check', '--values', await yaml('values.yaml', value), '--remote-write', 'http://127.0.0.1:9/'),
)

each('values of another chart', inputs.official, 30, async (value) =>
  inProcess('convert', '--from', 'official', await yaml('values.yaml', value)),
)

each('a Compose file', inputs.compose, 40, async (value) =>
  inProcess('convert', '--from', 'compose', await yaml('compose.yaml', value)),
)

const records = [run(), cell(0), sample(0, T0), step(0, 5), step(0, 10, { because: ['latency'] }), end()]

each('a run', records, 120, async (value, dir) => {
  const lines = (value as unknown[]).map((record) => `${JSON.stringify(record)}\n`)
  await write(dir, 'run/run.ndjson', lines.join(''))
  const { exit, out, err } = await inProcess('report', join(dir, 'run'))
  return { exit, err: err + out }
})

each('several runs', records, 30, async (value, dir) => {
  for (const [name, all] of [['one', records] as const, ['two', value as unknown[]] as const])
    await write(dir, `${name}/run.ndjson`, all.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const { exit, out, err } = await inProcess('report', join(dir, 'one'), join(dir, 'two'))
  return { exit, err: err + out }
})

each('what a server lists', inputs.listed, 80, async (value, dir) => {
  const lists = value as Record<string, unknown>
  const server = createServer(({ url }, response) => {
    const name = new URL(url!, 'http://n8n').pathname.split('/').at(-1)!
    response.end(JSON.stringify({ data: lists[name] ?? [], nextCursor: null }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const key = await write(dir, 'key', 'key')
  const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const out = join(dir, 'learned.yaml')
  const result = await inProcess('learn', '--from', from, '--key-file', key, '--out', out, '--yes')
  server.close().closeAllConnections()
  if (!existsSync(out)) return result
  // What was written is a profile that a check reads.
  const read = await prepared({ profile: out }, dir)
  return read.exit === 0 ? result : { ...read, err: `${read.err}\n${readFileSync(out, 'utf8').slice(0, 2000)}` }
})
