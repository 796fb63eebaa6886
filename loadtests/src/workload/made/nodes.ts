import { byName } from '../../lib/json.ts'
import type { Bridge } from '../../model/bridge.ts'
import type { FormField } from '../../n8n/address.ts'
import { remedyInWords } from '../../report/remedy-words.ts'
import { isTrigger } from '../copy-with-webhook.ts'
import { isCallable } from '../../n8n/triggers.ts'
import { outputsOf, reachedFrom } from '../../n8n/path.ts'
import { communityPackageOf, type Exported, type ExportedNode } from '../../n8n/exported.ts'
import { plainSample } from '../inferred/sample.ts'
import { samplePath } from '../outside/answers/files.ts'
import { madeDomain } from './credentials.ts'

/** Nodes that wait for a person or for time, or that reach for the machine itself, with what stands in for them. */
export function withNodesStoodIn(
  workflow: Exported,
  isThere: (type: string) => boolean = () => true,
): { workflow: Exported; said: string[]; bridged: Bridge[] } {
  const said: string[] = []
  const bridged: Bridge[] = []
  const handsOn = (name: string) => Object.keys((workflow.connections[name] as object | undefined) ?? {})
  const isItem = (name: string) => handsOn(name).every((kind) => kind === 'main')
  const led = reachedFrom(
    workflow,
    workflow.nodes.filter((node) => isTrigger(node) || isCallable(node)).map(({ name }) => name),
  )
  // n8n's first order of execution runs such a node, with nothing, for the Merge node that it leads to.
  const isLoose = (node: ExportedNode) =>
    led.size > 0
    && !led.has(node.name)
    && isItem(node.name)
    && outputsOf(node.name, workflow).some((ends) => ends?.some((end) => led.has(end.node)))
  const nodes = workflow.nodes.map((node) => {
    const made = node.disabled
      ? null
      : isLoose(node)
        ? { node: passing(node), why: 'left out: no trigger leads to it' }
        : (successorOf(node) ?? absentOf(node, isThere, handsOn(node.name)) ?? replacementOf(node))
    if (!made) return node
    said.push(`"${node.name}": ${made.why}`)
    if (made.bridge) bridged.push(made.bridge)
    return made.node
  })
  return { workflow: { ...workflow, nodes }, said, bridged }
}

/** Nodes that run programs, here or elsewhere, or write to the disk. */
const acting = new Set(['executeCommand', 'ssh', 'git', 'writeBinaryFile', 'readWriteFile'])

/** The same of nodes that act on a machine, where services are called for real. */
export function withoutActingNodes(workflow: Exported): { workflow: Exported; said: string[] } {
  const said: string[] = []
  const nodes = workflow.nodes.map((node) => {
    const kind = kindOf(node)
    if (node.disabled || !acting.has(kind)) return node
    // To read a file of the machine is as little meant.
    const made =
      kind === 'git' || (kind === 'readWriteFile' && isReading(node))
        ? { node: passing(node), why: 'left out: it would run a program or read a file of this machine' }
        : replacementOf(node)!
    said.push(`"${node.name}": ${made.why}`)
    return made.node
  })
  return { workflow: { ...workflow, nodes }, said }
}

const kindOf = ({ type }: ExportedNode) => type.split('.').at(-1)!
const isReading = ({ parameters = {} }: ExportedNode) => (parameters.operation ?? 'read') === 'read'

interface Replacement {
  node: ExportedNode
  why: string
  bridge?: Bridge
}

/** Types that n8n has no more, with the one that it makes of them. */
const successors = new Map<string, [type: string, typeVersion: number, why: string]>([
  [
    'n8n-nodes-base.start',
    ['n8n-nodes-base.manualTrigger', 1, 'a manual trigger takes its place, since n8n 1.0 has no Start node'],
  ],
])

function successorOf(node: ExportedNode): Replacement | null {
  const [type, typeVersion, why] = successors.get(node.type) ?? []
  return type === undefined ? null : { node: { ...node, type, typeVersion, parameters: {} }, why: why! }
}

/** A node of a type that this n8n does not have: most call a service of their own. */
function absentOf(node: ExportedNode, isThere: (type: string) => boolean, handsOn: string[]): Replacement | null {
  if (isThere(node.type)) return null
  const lacking = communityPackageOf(node.type)
  const said =
    lacking === null
      ? `this n8n has no type ${node.type}`
      : `it is of the community package ${lacking}, which this n8n does not have`
  const kind = node.type.split('.').at(-1)!
  if (/trigger$/i.test(kind))
    return {
      node: { ...node, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {}, credentials: {} },
      why: `the lab begins in its place: ${said}`,
    }
  const bridge: Bridge = {
    node: node.name,
    said: `${said[0]!.toUpperCase()}${said.slice(1)}.`,
    gives: 'read',
    remedy: lacking === null ? { code: 'release', type: node.type } : { code: 'package', name: lacking },
  }
  if (handsOn.some((one) => one !== 'main')) {
    const [type, takes] = handsOn.map((one) => alike[one]).find((one) => one !== undefined) ?? []
    if (type !== undefined)
      return {
        node: { ...node, type, typeVersion: 1, parameters: {}, credentials: {} },
        why: `${takes} takes its place, since ${said}`,
        bridge,
      }
    // What a tool of an agent does, it may do without.
    return handsOn.includes('ai_tool') || /tool/i.test(kind) ? { node: passing(node), why: `left out: ${said}` } : null
  }
  const host = `${kind.toLowerCase().replace(/[^a-z0-9]/g, '')}.${madeDomain}`
  return {
    node: {
      ...node,
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      credentials: {},
      parameters: { url: `https://${host}/${slugOf(node.name)}`, options: {} },
    },
    why: `a call to a mock takes its place, since ${said}. ${remedyInWords(bridge.remedy)}`,
    bridge,
  }
}

/** What has the same part in an agent or a chain, by what it hands to it. */
const alike: Record<string, [type: string, words: string]> = byName({
  ai_languageModel: ['@n8n/n8n-nodes-langchain.lmChatOpenAi', 'a chat model of OpenAI'],
  ai_embedding: ['@n8n/n8n-nodes-langchain.embeddingsOpenAi', 'an embedding of OpenAI'],
  ai_memory: ['@n8n/n8n-nodes-langchain.memoryBufferWindow', 'a memory of n8n'],
})

const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function replacementOf(node: ExportedNode): Replacement | null {
  const kind = kindOf(node)
  const { parameters = {} } = node
  if (parameters.operation === 'sendAndWait')
    return {
      node: answering(node, { data: { approved: true, text: 'Yes' } }),
      why: 'answered with yes at once, since no person is there',
    }
  switch (kind) {
    case 'wait':
      return waiting(node, parameters)
    case 'form':
      return parameters.operation === 'completion'
        ? { node: passing(node), why: 'the last page of the form is not shown' }
        : { node: answering(node, answersOf(parameters)), why: 'this page of the form gets samples' }
    case 'httpRequest':
      return reachable(node, parameters)
    case 'readBinaryFile':
    case 'readBinaryFiles':
      return reading(node, String(parameters.filePath ?? parameters.fileSelector ?? ''), parameters.dataPropertyName)
    case 'readWriteFile':
      return isReading(node)
        ? reading(
            node,
            String(parameters.fileSelector ?? ''),
            (parameters.options as { dataPropertyName?: string } | undefined)?.dataPropertyName,
          )
        : { node: passing(node), why: 'nothing is written to the disk' }
    case 'writeBinaryFile':
      return { node: passing(node), why: 'nothing is written to the disk' }
    case 'executeCommand':
      return {
        node: answering(node, { exitCode: 0, stdout: 'sample', stderr: '' }),
        why: 'no command is run on this machine; it gives a sample of its output',
      }
    case 'ssh':
      return {
        node: answering(node, { code: 0, signal: null, stdout: 'sample', stderr: '' }),
        why: 'no command is run elsewhere; it gives a sample of its output',
      }
    default:
      return null
  }
}

/** What a person would fill in. */
function answersOf({ formFields, defineForm }: Record<string, unknown>): object {
  const fields = defineForm === 'json' ? [] : ((formFields as { values?: FormField[] } | undefined)?.values ?? [])
  return Object.fromEntries(
    fields.flatMap(({ fieldName, fieldLabel }) => {
      const name = fieldName || fieldLabel
      return name ? [[name, plainSample(name)]] : []
    }),
  )
}

/** Public exports have an instruction in the place of an address. */
function reachable(node: ExportedNode, parameters: Record<string, unknown>): Replacement | null {
  const url = String(parameters.url ?? '')
  if (url.startsWith('=') || /^https?:\/\/[^\s]+$/i.test(url)) return null
  const host = /^[\w-]+(\.[\w-]+)+([/?].*)?$/.test(url)
    ? url
    : `${slugOf(url).slice(0, 40) || 'address'}.${madeDomain}/`
  return {
    node: { ...node, parameters: { ...parameters, url: `https://${host}` } },
    why: `calls https://${host}, since "${url}" is no address`,
  }
}

/** Milliseconds of the units of a Wait node. */
const units: Record<string, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }

function waiting(node: ExportedNode, parameters: Record<string, unknown>): Replacement | null {
  const resume = parameters.resume ?? 'timeInterval'
  const amount = Number(parameters.amount ?? (node.typeVersion === 1 ? 1 : 5))
  const unit = String(parameters.unit ?? (node.typeVersion === 1 ? 'hours' : 'seconds'))
  if (resume === 'timeInterval' && amount * (units[unit] ?? 3600) <= 1) return null
  const { webhookId: _, ...rest } = node
  return {
    node: {
      ...rest,
      type: 'n8n-nodes-base.wait',
      typeVersion: 1.1,
      webhookId: node.webhookId,
      parameters: { resume: 'timeInterval', amount: 1, unit: 'seconds' },
    },
    why: resume === 'webhook' || resume === 'form' ? 'goes on after 1 s, since nobody calls it' : 'waits 1 s',
  }
}

/** A file of the lab by HTTP. */
export function reading(node: ExportedNode, path: string, property: unknown): Replacement {
  const ending = /\.(\w{2,4})\W*$/.exec(path)?.[1]?.toLowerCase() ?? 'pdf'
  const name = samplePath(ending).split('/').at(-1)!
  return {
    node: {
      ...node,
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      credentials: {},
      parameters: {
        url: `https://files.${madeDomain}/${name}`,
        options: {
          response: {
            response: {
              responseFormat: 'file',
              outputPropertyName: typeof property === 'string' && property ? property : 'data',
            },
          },
        },
      },
    },
    why: `reads ${name} of the lab in place of a file of the machine`,
  }
}

/** A disabled node hands on what it gets. */
const passing = (node: ExportedNode): ExportedNode => ({ ...node, disabled: true })

/** `beside`: what it gets is handed on too, with its files. */
export const answering = (node: ExportedNode, answer: object, beside = false): ExportedNode => ({
  ...node,
  type: 'n8n-nodes-base.set',
  typeVersion: 3.4,
  credentials: {},
  parameters: {
    mode: 'raw',
    jsonOutput: JSON.stringify(answer),
    ...(beside && { includeOtherFields: true, include: 'all' }),
    options: { ...(beside && { stripBinary: false }) },
  },
})
