/**
 * Seconds in which a generator opens its connections, so that the first answers are late by its own doing: they do not
 * count for latency.
 */
export const settling = (duration: number) => Math.min(2, duration / 10)
