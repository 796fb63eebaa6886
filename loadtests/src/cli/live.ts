import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { reasonOf } from '../lib/await.ts'
import type { Experiment } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'
import { livePage, updateOf } from '../report/live/page.ts'
import { viewOf } from '../report/live/view.ts'
import { watch, type PlannedCell } from '../report/live/watched.ts'
import { objective } from '../report/sentences.ts'
import { shown } from '../secret/known.ts'

/** A page about a run that goes on. It only reads: whoever opens or closes it changes nothing for the run. */
export interface Live {
  url: string
  /** What is under way now. */
  doing(text: string): void
  /** Seconds that the run will still take from now on. */
  left(seconds: number): void
  recorded(record: RunRecord): void
  /** Ends it. Open pages become the report, if there is one. */
  close(report: string | null): Promise<void>
}

export interface LiveAsked {
  experiment: Experiment
  planned: PlannedCell[]
  onFailure: (text: string) => void
}

const everySecond = 1000
/** Open pages that are kept up to date. */
const mostPages = 100
/** Milliseconds that open pages have to fetch the report. */
const farewell = 3000

const common = {
  Connection: 'close',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}
const htmlType = 'text/html; charset=utf-8'

/** Serves the page on loopback, on a free port. */
export async function openLive({ experiment, planned, onFailure }: LiveAsked): Promise<Live> {
  const watched = watch(planned, experiment)
  const { repeat, slo } = experiment
  const asked = { objective: slo.p95, searched: experiment.load.shape === 'search', repeat }
  let now = { doing: 'Getting ready', at: Date.now() }
  let left: { at: number; milliseconds: number } | null = null
  let report: string | null = null
  const streams = new Set<ServerResponse>()
  /** Pages that have not become the report yet. */
  let awaited = 0
  const fetched = Promise.withResolvers<void>()

  const told = () => ({
    title: experiment.name,
    question: experiment.question,
    objective: objective(experiment),
    doing: now.doing,
    since: Date.now() - now.at,
    left: left && Math.max(0, left.milliseconds - (Date.now() - left.at)),
  })
  const update = () => updateOf(viewOf(watched, asked), told())

  function answer({ method, url, headers }: IncomingMessage, response: ServerResponse): void {
    const { port } = server.address() as AddressInfo
    // A page of others may have its name point to this machine, but its requests then carry that name.
    if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(headers.host ?? ''))
      return refuse(response, 403, 'This page answers to http://127.0.0.1 alone.')
    if (method !== 'GET') return refuse(response, 405, 'This page can only be read.')
    if (url === '/events') return follow(response)
    if (url !== '/') return refuse(response, 404, 'There is one page, at /.')
    if (report !== null) return sendReport(response, report)
    const { page, policy } = livePage(told(), update())
    response.writeHead(200, { ...common, 'Content-Type': htmlType, 'Content-Security-Policy': policy }).end(page)
  }

  function follow(response: ServerResponse): void {
    if (streams.size >= mostPages) return refuse(response, 503, 'This page is open too often.')
    response.writeHead(200, { ...common, 'Content-Type': 'text/event-stream' })
    streams.add(response)
    response.on('close', () => streams.delete(response)).on('error', () => {})
    response.write(eventText('update', JSON.stringify(update())))
  }

  function tell(): void {
    if (streams.size === 0) return
    const text = eventText('update', JSON.stringify(update()))
    // A page that does not read, such as one that sleeps, gets the newest when it does.
    for (const response of streams) if (!response.writableNeedDrain) response.write(text)
  }

  /** It has a policy of its own. */
  function sendReport(response: ServerResponse, file: string): void {
    response.writeHead(200, { ...common, 'Content-Type': htmlType })
    response.on('close', () => {
      if (--awaited <= 0) fetched.resolve()
    })
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response)
  }

  /** A defect of the page is told, and ends the page alone. */
  function safely(work: () => void): void {
    try {
      work()
    } catch (error) {
      onFailure(`The live page failed, and the run goes on without it: ${reasonOf(error)}`)
      clearInterval(timer)
      server.close()
      server.closeAllConnections()
    }
  }

  /** A request that the page cannot answer is refused; others are answered as before. */
  const server = createServer((request, response) => {
    response.on('error', () => {})
    try {
      answer(request, response)
    } catch (error) {
      onFailure(`The live page could not answer: ${reasonOf(error)}`)
      if (response.headersSent) response.destroy()
      else refuse(response, 500, 'This page failed.')
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  server.on('error', () => {})
  server.unref()
  const timer = setInterval(() => safely(tell), everySecond)
  timer.unref()

  let closed = false
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    doing(text) {
      const doing = shown(text)
      if (doing !== now.doing) now = { doing, at: Date.now() }
    },
    left(seconds) {
      left = { at: Date.now(), milliseconds: seconds * 1000 }
    },
    recorded: (record) => safely(() => watched.recorded(record)),
    async close(written) {
      if (closed) return
      closed = true
      clearInterval(timer)
      report = written
      awaited = report === null ? 0 : streams.size
      const ended = [...streams].map((response) => once(response, 'close'))
      for (const response of streams) response.end(eventText(report === null ? 'end' : 'report', ''))
      const patience = new AbortController()
      const over = setTimeout(farewell, undefined, patience).catch(() => {})
      await Promise.race([Promise.all([...ended, awaited ? fetched.promise : null]), over])
      patience.abort()
      server.close()
      server.closeAllConnections()
    },
  }
}

const eventText = (event: string, data: string) => `event: ${event}\ndata: ${data}\n\n`

const refuse = (response: ServerResponse, status: number, text: string) =>
  void response.writeHead(status, { ...common, 'Content-Type': 'text/plain' }).end(`${text}\n`)
