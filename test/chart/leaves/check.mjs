// No value is dead: every leaf of values.yaml, changed, changes what is rendered.
// A leaf without an entry below fails too, so that a new value brings its own. And a value that
// no pod reads replaces no pod. With `listed` only the entries are checked: nothing is rendered.
// usage: node test/chart/leaves/check.mjs CHART [listed]
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { rest } from './rest.mjs'
import { roles } from './roles.mjs'

const [, , chart, only] = process.argv
const changes = { ...roles, ...rest }

/** Values of load tests need files to be there: tests/load-target/ has them. NOTES are not what is rendered. */
const elsewhere = /^(loadtest\.|measured$)/

/** Objects beside the pods: a change to them must not interrupt callers. */
const aroundPods = new RegExp(
  `^(${[
    'commonLabels|commonAnnotations|extraObjects',
    'webhook\\.routes|(main|webhook)\\.service|service\\.(type|annotations|spec)',
    'ingress\\.(className|pathType|extraPaths|extraHosts|annotations|tls\\.secretNames?)',
    'ingress\\.webhooks\\.(className|annotations|tls\\.secretNames?|morePaths)',
    'gateway\\.(timeouts|filters|parentRefs|extraHosts|annotations)',
    'role\\.(revisionHistoryLimit|rollingUpdate)|role\\.(pdb|autoscaling)\\.',
    'networkPolicy\\.|persistence\\.(size|storageClass|accessModes|annotations)',
    'monitoring\\.(podMonitor|rules|dashboard)\\.|capacity\\.|serviceAccount\\.annotations',
    'database\\.embedded|redis\\.embedded|(main|worker|webhook)\\.replicas',
  ].join('|')})`,
)

const isBranch = (value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0

const leaves = (values, path = []) =>
  Object.entries(values).flatMap(([key, value]) =>
    isBranch(value) ? leaves(value, [...path, key]) : [[...path, key].join('.')],
  )

async function render(settings) {
  const flags = Object.entries(settings).flatMap(([path, value]) => ['--set-json', `${path}=${JSON.stringify(value)}`])
  const { stdout } = await promisify(execFile)('helm', ['template', 'n8n', chart, ...flags], { maxBuffer: 2 ** 26 })
  return stdout
}

const podsOfRoles = (yaml) =>
  JSON.stringify(
    parseAllDocuments(yaml)
      .map((document) => document.toJS())
      .filter((object) => object?.kind === 'Deployment')
      .map(({ spec }) => spec.template),
  )

const all = leaves(parse(readFileSync(join(chart, 'values.yaml'), 'utf8'))).filter((leaf) => !elsewhere.test(leaf))
const known = all.filter((leaf) => changes[leaf])
end([
  ...all
    .filter((leaf) => !changes[leaf])
    .map((leaf) => `${leaf}: Expected another value for it in test/chart/leaves/, found none.`),
  ...Object.keys(changes)
    .filter((leaf) => !all.includes(leaf))
    .map((leaf) => `${leaf}: Expected it in values.yaml, found none.`),
])
if (only === 'listed') {
  console.log(`listed: all ${all.length} leaves of values.yaml`)
  process.exit()
}

const settingsBefore = (leaf) => changes[leaf][1] ?? {}
const settingsAfter = (leaf) => {
  const [value, needs = {}, beside = {}] = changes[leaf]
  return { ...needs, ...beside, [leaf]: value }
}

/** Many leaves matter under the same settings, so each is rendered once. */
const rendered = new Map()
const missing = [
  ...new Set(known.flatMap((leaf) => [settingsBefore(leaf), settingsAfter(leaf)].map((one) => JSON.stringify(one)))),
]
const renderMissing = async () => {
  for (let next = missing.pop(); next !== undefined; next = missing.pop())
    rendered.set(next, await render(JSON.parse(next)))
}
await Promise.all(Array.from({ length: availableParallelism() }, renderMissing))
const before = (leaf) => rendered.get(JSON.stringify(settingsBefore(leaf)))
const after = (leaf) => rendered.get(JSON.stringify(settingsAfter(leaf)))

end([
  ...known
    .filter((leaf) => before(leaf) === after(leaf))
    .map((leaf) => `${leaf}: Expected a change in what is rendered, got none: the value is dead.`),
  ...known
    .filter((leaf) => aroundPods.test(leaf) && podsOfRoles(before(leaf)) !== podsOfRoles(after(leaf)))
    .map((leaf) => `${leaf}: Expected no pod to be replaced for it, got another pod template.`),
])
console.log(`live: all ${all.length} leaves of values.yaml`)

function end(failures) {
  for (const failure of failures) console.error(failure)
  if (failures.length > 0) process.exit(1)
}
