/**
 * Seconds in which a generator opens its connections. That makes the first answers late, so they do not count for
 * latency.
 */
export const settling = (duration: number) => Math.min(2, duration / 10)
