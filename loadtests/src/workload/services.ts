import type { Credential } from '../n8n/credentials.ts'
import type { ExportedNode, Importable } from '../n8n/exported.ts'
import { leadsToMock } from '../model/outside.ts'

/** A service that a workflow calls. */
interface Service {
  /** Its host, else the node and its credential. */
  name: string
  /** Whether it is asked by HTTP, as far as its node says. */
  http: boolean
}

/** Nodes that work within n8n. Any other node calls a service, or may. */
const within = new Set(
  `webhook respondToWebhook formTrigger form manualTrigger scheduleTrigger cron interval start executeWorkflow
  executeWorkflowTrigger errorTrigger set if switch merge noOp wait filter sort limit aggregate splitOut splitInBatches
  summarize itemLists removeDuplicates renameKeys compareDatasets dateTime crypto html htmlExtract markdown xml jwt
  editImage compression convertToFile extractFromFile moveBinaryData spreadsheetFile readPDF stopAndError stickyNote
  simulate dataTable executionData debugHelper totp`.split(/\s+/),
)

/** Nodes that speak something else than HTTP. */
const besideHttp = new Set(
  `postgres timescaleDb questDb crateDb mySql microsoftSql oracleDatabase mongoDb redis snowflake mqtt mqttTrigger amqp
  amqpTrigger rabbitmq rabbitmqTrigger kafka kafkaTrigger emailSend emailReadImap ftp ssh ldap git executeCommand
  memoryPostgresChat memoryRedisChat memoryMongoDbChat vectorStorePGVector`.split(/\s+/),
)

const isWithin = (type: string) =>
  type.startsWith('n8n-nodes-tuned.') || (type.startsWith('n8n-nodes-base.') && within.has(nameOf(type)))
/** Its output has more than a service answers: what it gets. */
export const readsWithin = ({ type }: ExportedNode): boolean =>
  isWithin(type) || /\.(code|function|functionItem)$/.test(type)
const nameOf = (type: string) => type.split('.').at(-1)!

/** A host in a text, also at the beginning of an expression; nothing where an expression makes the host. */
const hosts = /\b[a-z][a-z0-9+]*:\/\/(?:[^\s/@'"`]*@)?([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d+)?)(?=[\s/?#'"`\\]|$)/gi

/** What a credential calls the place that it is for. */
const places = ['host', 'hostname', 'server', 'url', 'baseUrl', 'domain', 'endpoint', 'connectionString']

/**
 * The services that workflows and their sub-workflows call, by host where their nodes or credentials say it. None for a
 * node whose made credential leads to the mock.
 */
export function servicesCalled(
  workflows: { imports: Pick<Importable, 'nodes'>[] }[],
  credentials: Credential[] = [],
): Service[] {
  const nodes = workflows.flatMap(({ imports }) => imports.flatMap(({ nodes }) => nodes))
  const found = nodes
    .filter(({ type, disabled }) => !disabled && !isWithin(type))
    .filter((node) => !usedBy(node, credentials).some(leadsToMock))
    .flatMap((node) =>
      namesOf(node, credentials).map((name): Service => ({ name, http: !besideHttp.has(nameOf(node.type)) })),
    )
  return [...new Map(found.map((one) => [one.name, one])).values()]
}

const usedBy = ({ credentials: used = {} }: ExportedNode, credentials: Credential[]): Credential[] =>
  Object.values(used).flatMap(({ id }) => credentials.filter((one) => one.id === String(id)))

function namesOf(node: ExportedNode, credentials: Credential[]): string[] {
  const { name, type, parameters, credentials: used = {} } = node
  const found = [...hostsIn(JSON.stringify(parameters ?? {})), ...usedBy(node, credentials).flatMap(placeOf)]
  if (found.length) return found
  // Code may call anything, and mostly calls nothing.
  if (/\.(code|function|functionItem)$/.test(type)) return []
  const named = Object.values(used).flatMap((one) => (one.name ? [`"${one.name}"`] : []))
  return [`${nameOf(type)} of the node "${name}"${named.length ? ` with ${named.join(', ')}` : ''}`]
}

const hostsIn = (text: string): string[] => [...text.matchAll(hosts)].map(([, host]) => host!.toLowerCase())

/** Nothing of it but the host and the port: the rest is a secret, or may hold one. */
function placeOf({ data }: Credential): string[] {
  const given = places.map((key) => data[key]).find((value) => typeof value === 'string' && value !== '')
  if (typeof given !== 'string') return []
  const [host = /^[\w.-]+(:\d+)?$/.exec(given)?.[0]] = hostsIn(given)
  if (host === undefined) return []
  return [/^\d+$/.test(String(data.port ?? '')) && !host.includes(':') ? `${host}:${String(data.port)}` : host]
}
