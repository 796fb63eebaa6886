import http from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * Longer than the wait for a job that a worker leaves behind when it stops: n8n then answers with 500, after some two
 * minutes.
 */
const patience = 180_000

/** 200, another status with what it says, or the code of an error. */
export type Answer = number | string

export function ask(url: string, agent?: http.Agent): Promise<Answer> {
  return new Promise((resolve) => {
    const request = http
      .get(url, { agent: agent ?? false, timeout: patience }, (response) => {
        const { statusCode } = response
        text(response).then(
          (said) => resolve(statusCode === 200 ? 200 : `${statusCode}: ${said}`),
          ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'),
        )
      })
      .on('timeout', () => {
        request.destroy(Object.assign(new Error(), { code: 'TIMEOUT' }))
      })
      .on('error', ({ code }: NodeJS.ErrnoException) => {
        // A server may close a kept connection just as the caller uses it again. Callers then ask once more.
        if (code === 'ECONNRESET' && request.reusedSocket) resolve(ask(url))
        else resolve(code ?? 'unknown')
      })
  })
}

/** Steady requests; half of the callers keep their connections, half take a new one each time. */
export function startLoad(url: string, every: number): { stop(): Promise<Record<Answer, number>> } {
  const keeping = new http.Agent({ keepAlive: true })
  const asked: Promise<Answer>[] = []
  const timer = setInterval(() => asked.push(ask(url, asked.length % 2 ? keeping : undefined)), every)
  return {
    async stop() {
      clearInterval(timer)
      const answers = await Promise.all(asked)
      keeping.destroy()
      return answers.reduce<Record<Answer, number>>(
        (counts, answer) => ({ ...counts, [answer]: (counts[answer] ?? 0) + 1 }),
        {},
      )
    },
  }
}
