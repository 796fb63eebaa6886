// What k6 asks during a rolling restart: a webhook, a form and a tool by MCP, each as its callers do. What became of each
// kind is in the metrics took_KIND and failed_KIND.
// usage: k6 run --env URL=… --env RATE=… --env DURATION=… rolling.js   RATE: webhooks a second, beside one form and one tool
import http from 'k6/http'
import { Rate, Trend } from 'k6/metrics'

const { URL, RATE, DURATION } = __ENV
const every = (exec, rate) => ({
  exec,
  executor: 'constant-arrival-rate',
  rate,
  duration: `${DURATION}s`,
  // Each caller may wait for a minute.
  preAllocatedVUs: rate * 65,
})
export const options = {
  scenarios: { webhook: every('webhook', Number(RATE)), form: every('form', 1), mcp: every('mcp', 1) },
  summaryTrendStats: ['count', 'med', 'p(99)', 'max'],
}

const metrics = Object.fromEntries(
  ['webhook', 'form', 'mcp'].map((kind) => [
    kind,
    { took: new Trend(`took_${kind}`), failed: new Rate(`failed_${kind}`) },
  ]),
)

/** Sends one request, which fails without these words in its answer. */
function ask(kind, method, path, { body, headers, words = '' } = {}) {
  const answer = http.request(method, URL + path, body, { headers, timeout: '60s' })
  const good = answer.status >= 200 && answer.status < 300 && (answer.body ?? '').includes(words)
  metrics[kind].took.add(answer.timings.duration)
  metrics[kind].failed.add(!good)
  if (!good)
    console.error(`${kind}: ${method} ${path}: ${answer.status} ${answer.error} ${String(answer.body).slice(0, 200)}`)
  return answer
}

export const webhook = () => ask('webhook', 'GET', '/webhook/ping', { words: 'pong' })

const boundary = 'the-end-of-a-field'
const filled = [`--${boundary}`, 'Content-Disposition: form-data; name="field-0"', '', 'Ada', `--${boundary}--`, '']

export function form() {
  ask('form', 'GET', '/form/rolling-form', { words: 'Who are you?' })
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
  ask('form', 'POST', '/form/rolling-form', { headers, body: filled.join('\r\n') })
}

export function mcp() {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  const send = (message, words) =>
    ask('mcp', 'POST', '/mcp/rolling-mcp', { headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }), words })
  const clientInfo = { name: 'rolling', version: '1' }
  const started = send(
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo },
    },
    'serverInfo',
  )
  headers['Mcp-Session-Id'] = started.headers['Mcp-Session-Id']
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/call', params: { name: 'Calculator', arguments: { input: '6 * 7' } } }, '42')
}
