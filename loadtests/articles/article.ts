import { openBench } from './bench.ts'
import { measure, type ClosedLoad, type Row } from './measure.ts'
import { serve, type Server } from './servers.ts'

/** An experiment of an older article about Node servers, measured again. */
export interface Article {
  question: string
  measure(how: How): AsyncIterable<Row>
  /** Markdown, with the article's own figures where it has some. */
  table(rows: Row[]): string
}

export interface How {
  signal: AbortSignal
  /** Of each load, in place of the article's own: a try. */
  seconds?: number
}

export interface ServerLoad extends Pick<ClosedLoad, 'clients' | 'seconds' | 'timeout'> {
  /** `/hello`, or `/count/500000`, whose handler counts that far. */
  work: string[]
}

const single: Server = { kind: 'http', cluster: 0, replicas: 1, cpu: null }

/** Each server under each kind of work, one after the other. */
export async function* eachServer(
  servers: Record<string, Partial<Server>>,
  load: ServerLoad,
  { signal, seconds = load.seconds }: How,
): AsyncGenerator<Row> {
  const bench = await openBench(signal)
  try {
    for (const [configuration, server] of Object.entries(servers)) {
      const { url, processes } = await serve(bench, { ...single, ...server })
      for (const asked of load.work)
        yield await measure(
          { ...load, seconds, url: url + asked, processes, generator: bench.generator, signal },
          { configuration, work: asked },
        )
      await bench.clear()
    }
  } finally {
    await bench.close()
  }
}
