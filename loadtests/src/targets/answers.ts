import type { Webhook } from './target.ts'

/** n8n's own answer for a path that it does not know, or not yet; of a form, a page. */
const unregistered = /not registered|Cannot (GET|POST|PUT|PATCH|DELETE)|starting up|<!DOCTYPE html>/i

/** Whether an answer says that no workflow has that path: nothing was executed. */
export const isUnregistered = ({ status, text }: { status: number; text: string }): boolean =>
  status === 404 && (text === '' || unregistered.test(text))

/** Whether n8n says that the execution failed: where services are mocked, it would fail again. */
export const isOfExecution = ({ text }: { text: string }): boolean =>
  /Error in workflow|Workflow Execution Error|executed with error|could not be started/i.test(text)

/** How many executions it begins to ask each of these once. */
export const begunByAsking = (workflows: { webhook: Webhook }[]): number =>
  workflows.filter(({ webhook }) => !webhook.idle).length

export const isAnswer = ({ expected }: Webhook, status: number | undefined): boolean =>
  status !== undefined && (expected ? expected.includes(status) : status >= 200 && status < 300)
