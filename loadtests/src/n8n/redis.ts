/** Where n8n's queue is, from n8n's settings as they apply where the lab runs. */

export const redisServer = (settings: Record<string, string>) => ({
  host: settings.QUEUE_BULL_REDIS_HOST,
  port: Number(settings.QUEUE_BULL_REDIS_PORT ?? 6379),
  db: Number(settings.QUEUE_BULL_REDIS_DB ?? 0),
  username: settings.QUEUE_BULL_REDIS_USERNAME,
  password: settings.QUEUE_BULL_REDIS_PASSWORD,
})

export const queueKey = (settings: Record<string, string>, name: string) =>
  `${settings.QUEUE_BULL_PREFIX ?? 'bull'}:jobs:${name}`
