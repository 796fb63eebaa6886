// When n8n's Redis client connects again, it subscribes to what it had subscribed to. If something other than Redis
// answers, such as a proxy's error page, the client forgets its subscriptions for good. n8n then hears of no execution
// that ends, and answers up to five seconds late. With this patch it subscribes as soon as it meets Redis again.
exports.modules = {
  'ioredis > built/redis/event_handler.js': {
    wrap(handlers) {
      const { readyHandler, closeHandler } = handlers
      const subscribedTo = new WeakMap()
      handlers.readyHandler = (client) => {
        const ready = readyHandler(client)
        return () => {
          subscribedTo.set(client, client.prevCondition?.subscriber)
          ready()
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
