import { isWebhook, type Exported } from './exported.ts'

/** How expressions and code refer to the body in a Webhook node's output. */
const body = /\bjson\s*(?:\?\.|\.)?\s*(?:body\b|\[\s*\\*['"]body\\*['"]\s*\])/

/** Whether the workflow reads the body of its requests. */
export const readsBody = ({ nodes }: Exported): boolean =>
  nodes.some((node) => !node.disabled && !isWebhook(node) && body.test(JSON.stringify(node.parameters ?? {})))
