import type { LabError } from '../../lib/errors.ts'
import { isAnswer, type Webhook } from '../target.ts'
import { type Answer, ask, unreachable } from './ask.ts'

const patience = 30_000

export const urlBelow = (base: URL, path: string) => new URL(base.href.replace(/\/$/, '') + path)

/** Calls the webhook once: otherwise the load would only count errors. */
export async function webhookAnswers(base: URL, webhook: Webhook): Promise<void> {
  const { method, path, headers, body } = webhook
  const url = urlBelow(base, path)
  const answer = await ask(url, { method, headers, body, timeout: patience })
  // The query may contain a key, so it stays out of messages.
  if (!isAnswer(webhook, answer.status)) throw refusal(`${method} ${url.origin}${url.pathname}`, answer)
}

function refusal(request: string, { status, location, text }: Answer): LabError {
  const got = `${status}${location ? ` to ${location}` : ''}`
  if (status >= 300 && status < 400)
    return unreachable(
      request,
      got,
      'A proxy redirects it, which callers would have to follow for every request: give the address it leads '
        + 'to as --target.',
    )
  if (status === 401 || status === 403)
    return unreachable(
      request,
      got,
      'The webhook expects other credentials than the request has: give them as auth of the request, which '
        + 'docs/workload.md shows.',
    )
  if (status === 404)
    return unreachable(
      request,
      got,
      'Import the workflow there and publish it, or name one of its own with --workflow; the lab changes '
        + 'nothing on an n8n that runs already.',
    )
  return unreachable(request, `${got} ${text.slice(0, 200).trim()}`.trim(), 'n8n’s log says why.')
}
