// No string of values breaks out of its line: each leaf of values.yaml is tried with a text that would end a line, a
// quote or a map. It is refused, or stays one string in what is rendered.
// usage: node test/chart/leaves/unbroken.mjs CHART [LEAF...]
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { rest } from './rest.mjs'
import { roles } from './roles.mjs'

const [, , chart, ...chosen] = process.argv
const changes = { ...roles, ...rest }

/** Whatever is not quoted for it, is either another map or no YAML at all. */
const hostile = 'x\n  injected: true\n", injected: true, "y": \', injected: true, z: {#'

/** The value once for each string in it, which is another there. */
function* broken(value) {
  if (typeof value === 'string') yield hostile
  else if (Array.isArray(value))
    for (const [at, one] of value.entries()) for (const other of broken(one)) yield value.with(at, other)
  else if (value !== null && typeof value === 'object')
    for (const [key, one] of Object.entries(value)) for (const other of broken(one)) yield { ...value, [key]: other }
}

async function render(settings) {
  const flags = Object.entries(settings).flatMap(([path, value]) => ['--set-json', `${path}=${JSON.stringify(value)}`])
  try {
    const said = await promisify(execFile)('helm', ['template', 'n8n', chart, ...flags], { maxBuffer: 2 ** 26 })
    return { rendered: said.stdout }
  } catch (error) {
    return { refused: error.stderr }
  }
}

const keysOf = (value) =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([key, one]) => [...(Array.isArray(value) ? [] : [key]), ...keysOf(one)])

/** Objects that the operator writes whole are what they write: `extraObjects` are templates. */
const whole = /^extraObjects$/

const tries = Object.entries(changes)
  .filter(([leaf]) => !whole.test(leaf) && (chosen.length === 0 || chosen.includes(leaf)))
  .flatMap(([leaf, [value, needs = {}, beside = {}]]) =>
    [...broken(value)].map((other) => ({ leaf, settings: { ...needs, ...beside, [leaf]: other } })),
  )

async function problemOf({ settings }) {
  const { rendered, refused } = await render(settings)
  if (refused !== undefined)
    return /YAML parse error|converting YAML|error unmarshaling|error converting/i.test(refused)
      ? `what it renders is no YAML: ${refused.trim().split('\n')[0]}`
      : null
  const documents = parseAllDocuments(rendered)
  if (documents.some(({ errors }) => errors.length > 0)) return 'what it renders is no YAML.'
  return documents.some((document) => keysOf(document.toJS()).includes('injected'))
    ? 'it becomes a key of its own.'
    : null
}

const failures = new Set()
const waiting = [...tries]
async function work() {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const problem = await problemOf(next)
    if (problem !== null) failures.add(`${next.leaf}: Expected it to stay one string whatever is in it, but ${problem}`)
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work))
for (const failure of failures) console.error(failure)
if (failures.size > 0) process.exit(1)
console.log(`unbroken: ${tries.length} strings of values`)
