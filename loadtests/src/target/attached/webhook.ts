import { errors, type LabError } from '../../errors.ts'
import type { Webhook } from '../target.ts'
import { ask, type Answer } from './ask.ts'

const patience = 30_000

export const urlBelow = (base: URL, path: string) => new URL(base.href.replace(/\/$/, '') + path)

/** Calls the webhook once: the load that follows would only count what is wrong with it. */
export async function webhookAnswers(base: URL, { method, path }: Webhook): Promise<void> {
  const url = urlBelow(base, path)
  const answer = await ask(url, { method, timeout: patience })
  if (answer.status < 200 || answer.status >= 300) throw refusal(`${method} ${url.href}`, answer)
}

function refusal(request: string, { status, location, text }: Answer): LabError {
  const got = `${status}${location ? ` to ${location}` : ''}`
  if (status >= 300 && status < 400) return errors.unreachable(request, got, 'A proxy redirects it, which callers would have to follow for every request: give the address it leads to as --target.')
  if (status === 401 || status === 403) return errors.unreachable(request, got, 'The webhook wants credentials, and the lab sends none: load a workflow whose webhook asks for none.')
  if (status === 404) return errors.unreachable(request, got, 'Import the workflow there and publish it, or name one of its own with --workflow; the lab changes nothing on an n8n that runs already.')
  return errors.unreachable(request, `${got} ${text.slice(0, 200).trim()}`.trim(), 'n8n’s log says why.')
}
