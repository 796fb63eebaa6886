import { isWebhook, type Exported } from './exported.ts'

/** How expressions and code name the body of a Webhook's output. */
const body = /\bjson\s*(?:\?\.|\.)?\s*(?:body\b|\[\s*\\*['"]body\\*['"]\s*\])/

/** Does the workflow look at what is sent to it? */
export const readsBody = ({ nodes }: Exported): boolean =>
  nodes.some((node) => !node.disabled && !isWebhook(node) && body.test(JSON.stringify(node.parameters ?? {})))
