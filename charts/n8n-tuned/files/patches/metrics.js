// The patches in n8n's /metrics. n8n empties its registry when it starts, so they are added again.

/** What refuseExcessWebhooks knows: how many it refused, and the age of the oldest without an answer, in seconds. */
const webhooks = { refused: 0, oldest: () => 0 }

function show(client, decisions) {
  const { register, Counter, Gauge } = client
  const { clear } = register
  const add = () => {
    const help = 'The state of each patch that n8n-tuned was asked for: applied, skipped or off.'
    const gauge = new Gauge({ name: 'n8n_tuned_patch', help, labelNames: ['patch', 'state', 'reason'] })
    for (const { name, state, reason } of decisions) gauge.set({ patch: name, state, ...(reason && { reason }) }, 1)
    const refused = new Counter({ name: 'n8n_tuned_webhooks_refused_total', help: 'Webhooks answered with 503.' })
    refused.collect = () => refused.reset() ?? refused.inc(webhooks.refused)
    new Gauge({
      name: 'n8n_tuned_oldest_unanswered_webhook_seconds',
      help: 'The age of the oldest webhook that has no answer.',
      collect() {
        this.set(webhooks.oldest())
      },
    })
  }
  register.clear = function () {
    clear.call(this)
    add()
  }
  add()
}

module.exports = { show, webhooks }
