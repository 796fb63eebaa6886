// What the launcher of n8nio/runners does before it starts a runner: it asks the broker for leave with the token that it
// shares with n8n, until n8n is there, and hands the runner no more than that leave. The launcher also ends a runner
// that had nothing to do for a while; this one stays.
import { setTimeout as wait } from 'node:timers/promises'

const { N8N_RUNNERS_TASK_BROKER_URI: broker, N8N_RUNNERS_AUTH_TOKEN: token, TASK_RUNNER } = process.env
delete process.env.N8N_RUNNERS_AUTH_TOKEN

async function leave() {
  for (;;) {
    const answer = await fetch(`${broker}/runners/auth`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) }).catch(() => null)
    if (answer?.ok) return (await answer.json()).data.token
    if (answer?.status === 403 || answer?.status === 401) throw new Error(`n8n refused the runner's token with ${answer.status}.`)
    await wait(200)
  }
}

process.env.N8N_RUNNERS_GRANT_TOKEN = await leave()
await import(TASK_RUNNER)
