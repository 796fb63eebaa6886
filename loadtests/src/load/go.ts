/**
 * Go collects its garbage whenever what it holds has doubled. Of k6 with thousands of clients that is every few seconds,
 * and takes the whole core for one: every answer in it is late, and n8n would be blamed. Ten times as much may pile up
 * here, unless what may be used up is near.
 */
export const rarelyCollecting = (memory: number): Record<string, string> => ({ GOGC: '1000', GOMEMLIMIT: `${Math.floor(memory / 2 ** 20)}MiB` })
