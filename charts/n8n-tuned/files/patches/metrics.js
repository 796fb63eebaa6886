// The patches in n8n's /metrics. n8n empties its registry when it starts, so they are added again.
const counts = { refused: 0 }

function show(client, decisions) {
  const { register, Counter, Gauge } = client
  const { clear } = register
  const add = () => {
    const help = 'The state of each patch that n8n-tuned was asked for: applied, skipped or off.'
    const gauge = new Gauge({ name: 'n8n_tuned_patch', help, labelNames: ['patch', 'state', 'reason'] })
    for (const { name, state, reason } of decisions) gauge.set({ patch: name, state, ...(reason && { reason }) }, 1)
    const refused = new Counter({ name: 'n8n_tuned_webhooks_refused_total', help: 'Webhooks answered with 503.' })
    refused.collect = () => refused.reset() ?? refused.inc(counts.refused)
  }
  register.clear = function () {
    clear.call(this)
    add()
  }
  add()
}

module.exports = { counts, show }
