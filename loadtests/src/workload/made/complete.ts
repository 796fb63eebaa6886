import { readFileSync } from 'node:fs'
import type { Bridge } from '../../model/bridge.ts'
import type { DataTable } from '../../n8n/data-tables.ts'
import type { Catalog } from '../../n8n/catalog.ts'
import { usage } from '../../lib/errors.ts'
import { mainTrigger, type Handed } from '../copy-with-webhook.ts'
import type { Credential } from '../../n8n/credentials.ts'
import type { AllHandedOn } from '../../n8n/execution-data.ts'
import { communityPackageOf, importable, type Exported, type ExportedNode } from '../../n8n/exported.ts'
import { fitOf, fitted } from '../inferred/fit.ts'
import { fileKind, hintsOf } from '../inferred/hints.ts'
import { readsOf, type Reads } from '../inferred/reads.ts'
import { sampleFor } from '../inferred/sample.ts'
import { callingItself, withLinked } from '../links.ts'
import { samplePath, typeOf } from '../outside/answers/files.ts'
import type { Hint } from '../../model/outside.ts'
import { triggerItem } from '../outside/service-files.ts'
import { triggersOf } from '../../n8n/address.ts'
import { withBlanksFilled } from './blanks.ts'
import { withMadeCredentials } from './credentials.ts'
import { withoutLooseEnds, withVersionsThere } from './mended.ts'
import { withNodesStoodIn } from './nodes.ts'
import { stubOf } from './stubs.ts'
import { surelyBrokenCode } from './sure.ts'
import { madeTables } from './tables.ts'
import { forbidsEnvironment, surelyReadsEnvironment, withVariablesMade } from './variables.ts'

/** A workflow that lacks nothing any more, with what was made up for it. */
export interface Completed {
  /** Its sub-workflows, and then the workflow itself. */
  imports: Exported[]
  credentials: Credential[]
  /** Data tables that were not given. */
  dataTables: DataTable[]
  hints: Hint[]
  reads: Reads
  /** What stands in for what, a sentence each. */
  said: string[]
  /** The nodes of the workflow itself that this n8n does not have. */
  bridged: Bridge[]
}

/** Makes up what an export leaves out: sub-workflows, documents, credentials, and the people that it waits for. */
export function completeExport(
  workflow: Exported,
  all: Exported[],
  where: string,
  given: {
    credentials: Credential[]
    dataTables: DataTable[]
    values?: unknown
    executed?: AllHandedOn | undefined
    strict?: boolean | undefined
  },
  catalog: Catalog,
): Completed {
  const said = new Set<string>()
  const variables = new Map<string, string>()
  const values = JSON.stringify(given.values ?? {})
  const isForbidden = !values.includes('N8N_BLOCK_ENV_ACCESS_IN_NODE') && forbidsEnvironment(catalog)
  const isThere = (type: string) => {
    const lacking = communityPackageOf(type)
    if (catalog.node(type) !== null) return true
    return lacking === null ? given.strict === true || !ofN8n.test(type) : mayHave(lacking, values)
  }
  const bridged = new Map<string, Bridge[]>()
  const ready = (one: Exported): Exported => {
    const whole = given.strict ? one : withVersionsThere(withoutLooseEnds(one, said), catalog, said)
    const valued = withVariablesMade(placed(whole), { environment: isForbidden })
    for (const [name, value] of valued.made) variables.set(name, value)
    const stoodIn = withNodesStoodIn(valued.workflow, isThere)
    for (const line of stoodIn.said) said.add(line)
    bridged.set(one.id, stoodIn.bridged)
    const filled = withBlanksFilled(stoodIn.workflow, catalog)
    if (filled.filled.length) said.add(`Filled in, since the export leaves it empty: ${filled.filled.join(', ')}.`)
    return callingItself(filled.workflow, all)
  }
  const linked = withLinked(ready(workflow), [], where, ({ what, id }) => {
    const found = all.find((other) => other.id === id)
    if (found) return ready(found)
    said.add(`A stub that hands on what it gets takes the place of ${what}, the workflow ${id}.`)
    return stubOf(id, id, what.startsWith('the error') ? 'error workflow' : 'sub-workflow')
  })
  const made = new Map<string, Credential>()
  const imports = linked.map((one) => {
    const own = withMadeCredentials(one, given.credentials, catalog)
    for (const credential of own.made) made.set(credential.id, credential)
    return own.workflow
  })
  if (made.size) said.add(`Made up: ${[...new Set([...made.values()].map(({ type }) => type))].join(', ')}.`)
  const main = imports.at(-1)!
  for (const one of imports) refuseWhatN8nWould(one, where, catalog, values)
  const reads = readsOf(main, startsOf(main), catalog.parametersOf)
  if (variables.size) said.add(madeOf(variables))
  if (reads.variables.length)
    said.add(
      `It reads ${reads.variables.join(', ')}: this n8n has what role.extraEnv sets`
        + `${forbidsEnvironment(catalog) ? ', and forbids it unless N8N_BLOCK_ENV_ACCESS_IN_NODE is "false"' : ''}.`,
    )
  // Otherwise the first execution shows it, and the rest is measured.
  if (given.strict && isForbidden) refuseEnvironment(main, where, catalog)
  if (given.strict) refuseBrokenCode(main, where)
  const others = imports
    .slice(0, -1)
    .map((one) => ({ workflow: one, reads: readsOf(one, startsOf(one), catalog.parametersOf) }))
  const dataTables = madeTables([...others, { workflow: main, reads }], given.dataTables)
  if (dataTables.length)
    said.add(`Made up, with one row: the data tables ${dataTables.map(({ name }) => name).join(', ')}.`)
  const had = main.nodes.filter(({ name }) => given.executed?.has(name)).length
  if (had) said.add(`What is sent, and what services answer, is from the given execution, of ${had} nodes.`)
  return {
    imports,
    credentials: [...made.values()],
    dataTables,
    hints: [
      ...hintsOf(main, reads, catalog, given.executed),
      ...others.flatMap(({ workflow: one, reads: own }) => hintsOf(one, own, catalog)),
    ],
    reads,
    said: [...said],
    bridged: bridged.get(workflow.id) ?? [],
  }
}

const ofN8n = /^(n8n-nodes-base|@n8n\/n8n-nodes-langchain)\./

function madeOf(variables: Map<string, string>): string {
  const names = [...variables.keys()]
  return [
    `Made up: ${[...variables].map(([name, value]) => `${name} ("${value}")`).join(', ')}.`,
    ...(names.some((name) => name.startsWith('$vars'))
      ? ['n8n creates variables with a license alone; without one they are empty.']
      : []),
    ...(names.some((name) => name.startsWith('$env'))
      ? ['n8n forbids $env since 2.0: if yours allows it, set role.extraEnv.N8N_BLOCK_ENV_ACCESS_IN_NODE to "false".']
      : []),
  ].join(' ')
}

/** n8n would take a minute to start, and then say so. */
function refuseBrokenCode(workflow: Exported, where: string): void {
  const broken = surelyBrokenCode(workflow, startsOf(workflow))
  if (!broken) return
  throw usage(
    'bad-workflow',
    `${where}: The code of the node "${broken.node}" of "${workflow.name}" is no JavaScript: ${broken.says}.`,
    'Correct it in the n8n editor, and export the workflow again.',
  )
}

/** The same of a variable of the environment. */
function refuseEnvironment(workflow: Exported, where: string, catalog: Catalog): void {
  const read = surelyReadsEnvironment(workflow, startsOf(workflow), catalog)
  if (!read) return
  throw usage(
    'environment-forbidden',
    `${where}: The node "${read.node}" of "${workflow.name}" reads $env.${read.name}, which n8n forbids since 2.0: `
      + 'each execution would end there.',
    `If your n8n allows it: --set 'role.extraEnv.N8N_BLOCK_ENV_ACCESS_IN_NODE="false"' `
      + `--set role.extraEnv.${read.name}=VALUE.`,
  )
}

/** n8n wants a place and a name for each node, which say nothing of what it does. */
const placed = (workflow: Exported): Exported => ({
  ...workflow,
  nodes: workflow.nodes.map((node, index) => ({
    ...node,
    id: node.id ?? `${workflow.id}-${index}`,
    name: node.name ?? `${node.type} ${index}`,
    position: node.position ?? [200 * index, 0],
  })),
})

function startsOf(workflow: Exported): string[] {
  const called = triggersOf(workflow).map(({ node }) => node)
  if (called.length) return called
  const main = mainTrigger(workflow)
  return main ? [main.name] : []
}

/** n8n would take seconds to start, only to refuse it. */
function refuseWhatN8nWould(workflow: Exported, where: string, catalog: Catalog, values: string): void {
  const names = new Set(workflow.nodes.map(({ name }) => name))
  for (const [from, kinds] of Object.entries(workflow.connections)) {
    const ends = Object.values(kinds as Record<string, ({ node?: string } | null)[][]>).flat(2)
    const missing = !names.has(from) ? from : ends.find((end) => end?.node !== undefined && !names.has(end.node))?.node
    if (missing !== undefined)
      throw usage(
        'bad-workflow',
        `${where}: A connection of "${workflow.name}" leads from "${from}" to a node that is not there: n8n refuses `
          + `to import it, since it has no node "${missing}".`,
        'Delete that connection in the file (under "connections"), or export the workflow again.',
      )
  }
  const refusal = catalog.refusalOf(importable(workflow))
  if (refusal)
    throw usage(
      'bad-workflow',
      `${where}: n8n refuses to import "${workflow.name}": ${refusal}`,
      'Correct that in the file, or export the workflow from the n8n editor again.',
    )
  const hint = 'Measure with the release of n8n that it was made for (--set image.tag=VERSION), or replace the node.'
  for (const { name, type, typeVersion, disabled } of workflow.nodes) {
    if (disabled) continue
    const node = `${where}: The node "${name}" of "${workflow.name}"`
    if (ofN8n.test(type) && !catalog.node(type))
      throw usage('unknown-node', `${node} is of the type ${type}, which this n8n does not have.`, hint)
    const lacking = communityPackageOf(type)
    if (lacking !== null && !mayHave(lacking, values))
      throw usage(
        'unknown-node',
        `${node} is a community node of the package ${lacking}, which this n8n does not have.`,
        `If you trust it: --set 'communityNodes.packages=[${lacking}@VERSION]'. npm fetches it before n8n starts.`,
      )
    const newest = catalog.newestInsteadOf(type, typeVersion)
    if (newest !== null)
      throw usage(
        'unknown-node',
        `${node} is version ${typeVersion} of ${type}, and n8n ${catalog.version} has it up to ${newest}: it would not `
          + 'activate the workflow.',
        hint,
      )
  }
}

/** The values name it, or an image, a package file or a folder that may have it. */
const mayHave = (name: string, values: string) =>
  values.includes(name) || /"repository"|\.tgz|N8N_CUSTOM_EXTENSIONS|"extraVolumes"/.test(values)

/** What a trigger would hand on, as its service sends it and as the workflow reads it. */
export function handedBy(trigger: ExportedNode, reads: Reads, workflow: Exported): Handed {
  const { json, binary } = reads.outputOf(trigger.name)
  const known = triggerItem(trigger.type) ?? inputsOf(trigger)
  const fit = fitOf(json)
  const item = fit ? fitted(known ?? {}, fit) : (known ?? {})
  const items = [typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {}]
  return { items: items.flat(), files: [...binary].map((property) => fileOf(property, trigger, workflow)) }
}

function fileOf(property: string, { name }: ExportedNode, workflow: Exported): Handed['files'][number] {
  const kind = /image|photo/i.test(property) ? 'png' : /audio|voice/i.test(property) ? 'mp3' : fileKind(name, workflow)
  return {
    property,
    name: `sample.${kind}`,
    type: typeOf(kind) ?? 'application/octet-stream',
    base64: readFileSync(samplePath(kind)).toString('base64'),
  }
}

/** The fields that a sub-workflow says it takes. */
function inputsOf({ type, parameters }: ExportedNode): Record<string, unknown> | undefined {
  if (!type.endsWith('.executeWorkflowTrigger')) return undefined
  const { workflowInputs, jsonExample } = (parameters ?? {}) as {
    workflowInputs?: { values?: { name?: string; type?: string }[] }
    jsonExample?: string
  }
  if (workflowInputs?.values?.length)
    return Object.fromEntries(
      workflowInputs.values.flatMap(({ name, type: kind }) =>
        name
          ? [
              [
                name,
                kind === 'number'
                  ? 3
                  : kind === 'boolean'
                    ? true
                    : kind === 'array'
                      ? []
                      : kind === 'object'
                        ? {}
                        : sampleFor(name),
              ],
            ]
          : [],
      ),
    )
  try {
    return jsonExample ? (JSON.parse(jsonExample) as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
