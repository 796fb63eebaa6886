// Does what the launcher of n8nio/runners does before it starts a runner. It asks n8n's broker for a one-time token
// until n8n is ready, with the token that it shares with n8n. The runner gets only the one-time token. The launcher
// also ends an idle runner; this one stays.
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

const { N8N_RUNNERS_TASK_BROKER_URI: broker, N8N_RUNNERS_AUTH_TOKEN: token, TASK_RUNNER } = process.env
delete process.env.N8N_RUNNERS_AUTH_TOKEN

async function leave() {
  for (;;) {
    const answer = await ask().catch(() => null)
    if (answer?.statusCode === 200) return (await json(answer)).data.token
    answer?.resume()
    if ([401, 403].includes(answer?.statusCode))
      throw new Error(`n8n refused the runner's token with ${answer.statusCode}.`)
    await wait(200)
  }
}

/** Without fetch, whose timers keep running: the runner freezes the objects that they change. */
function ask() {
  return new Promise((resolve, reject) => {
    request(
      `${broker}/runners/auth`,
      { method: 'POST', agent: false, headers: { 'content-type': 'application/json' } },
      resolve,
    )
      .on('error', reject)
      .end(JSON.stringify({ token }))
  })
}

process.env.N8N_RUNNERS_GRANT_TOKEN = await leave()
await import(TASK_RUNNER)
