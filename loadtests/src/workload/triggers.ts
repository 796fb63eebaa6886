import { isWebhook, type Exported, type PinnedItem } from './exported.ts'

/** A Webhook node: where and how a workflow is called. */
export interface Trigger {
  node: string
  methods: string[]
  /** The path below n8n's URL; its parts may be parameters, `:id`. */
  path: string
  /** The credential that it asks callers for. */
  auth: 'none' | 'basicAuth' | 'headerAuth' | 'jwtAuth'
  credential: { id: string; name: string } | null
  pinned: PinnedItem[]
}

interface Parameters {
  path: string
  httpMethod?: string | string[]
  authentication?: Trigger['auth']
}

export const triggersOf = ({ nodes, pinData }: Exported): Trigger[] =>
  nodes.filter(isWebhook).map(({ name, webhookId, parameters, credentials }) => {
    const { path, httpMethod = 'GET', authentication = 'none' } = parameters as unknown as Parameters
    const [credential] = Object.values(credentials ?? {})
    return {
      node: name,
      methods: [httpMethod].flat(),
      // n8n puts an id in front of a path with parameters, to tell it from the paths of other webhooks.
      path: `/webhook/${hasParameters(path) ? `${webhookId}/` : ''}${path}`,
      auth: authentication,
      credential: credential
        ? { id: String(credential.id ?? ''), name: credential.name ?? String(credential.id) }
        : null,
      pinned: pinData?.[name] ?? [],
    }
  })

const hasParameters = (path: string) => /(^|\/):/.test(path)

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The parameters in a path, if it is the trigger's path; `/webhook-test/` is the editor's name for the same. */
export function paramsIn(path: string, trigger: Trigger): Record<string, string> | null {
  const names: string[] = []
  const pattern = trigger.path
    .split('/')
    .map((part) => {
      if (!part.startsWith(':')) return escaped(part)
      names.push(part.slice(1))
      return '([^/]+)'
    })
    .join('/')
  const match = new RegExp(`${pattern}$`).exec(path.replace('/webhook-test/', '/webhook/').replace(/\/$/, ''))
  return match && Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1]!)]))
}
