// When n8n's Redis client connects again, it subscribes to what it had subscribed to. If something other than Redis
// answers, such as a proxy's error page, the client forgets its subscriptions for good. n8n then hears of no execution
// that ends, and answers up to five seconds late. The same happens when Redis refuses the subscription once. With this
// patch it subscribes as soon as it meets Redis again, and asks until Redis accepts.
const pause = 1000

exports.modules = {
  'ioredis > built/redis/event_handler.js': {
    wrap(handlers) {
      const { readyHandler, closeHandler } = handlers
      const subscribedTo = new WeakMap()
      handlers.readyHandler = (client) => {
        const ready = readyHandler(client)
        return () => {
          const subscriber = client.prevCondition?.subscriber
          subscribedTo.set(client, subscriber)
          ready()
          if (subscriber) subscribeUntilAccepted(client, subscriber.channels('subscribe'))
        }
      }
      handlers.closeHandler = (client) => {
        const close = closeHandler(client)
        return () => {
          if (client.condition) client.condition.subscriber ||= subscribedTo.get(client) ?? false
          close()
        }
      }
    },
  },
  // How n8n makes its client, and how the client subscribes.
  'dist/services/redis-client.service.js': {},
  'ioredis > built/DataHandler.js': {},
  'ioredis > built/Redis.js': {},
}

/** A new connection begins again, so this ends with its own. */
function subscribeUntilAccepted(client, channels) {
  const ask = setInterval(() => {
    const accepted = client.condition?.subscriber ? client.condition.subscriber.channels('subscribe') : []
    const refused = channels.filter((channel) => !accepted.includes(channel))
    if (refused.length > 0) client.subscribe(refused).catch(() => {})
    else clearInterval(ask)
  }, pause).unref()
  client.once('close', () => clearInterval(ask))
}
