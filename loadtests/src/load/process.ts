import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { busySeconds, readStat } from '../lib/processes.ts'
import { refuseFullDisk } from '../lib/disk.ts'
import { failProcess, repeat } from '../lib/repeat.ts'
import { paths, tool } from '../lib/paths.ts'
import {
  askToEnd,
  lastWordsOf,
  rarelyCollecting,
  stoppedByItself,
  stoppedCodes,
  type Generator,
  type GeneratorLook,
} from './generator.ts'

export interface Means {
  /** Puts the command on the generator's cores. */
  onCores: (argv: string[]) => string[]
  cores: number
  /** Which ones, where other programs may run on them too. */
  on?: number[]
  /** Gets the process group, so that it can be ended even if this process is killed. */
  track: (pid: number) => void
  /** A folder that the next run removes if this process is killed: requests may hold secrets. */
  folder: string
  /** Puts the command where what is sent leads. */
  within?: (sent: string, argv: string[]) => string[]
}

/** k6 as a process of this machine. */
export function processGenerator({
  onCores,
  cores,
  on = [],
  track,
  folder: parent,
  within = (_, argv) => argv,
}: Means): Generator {
  // A container's limit counts, where the lab runs in one.
  const memory = Math.min(process.constrainedMemory() || Infinity, totalmem()) / 2
  return {
    cores,
    memory,
    async run({ scenario, env, requests, told, signal, endEarly }) {
      const folder = await mkdtemp(join(parent, 'k6-'))
      const summary = join(folder, 'summary.json')
      const sent = join(folder, 'requests.json')
      const printed = join(folder, 'printed')
      const argv = [
        tool('k6'),
        'run',
        '--quiet',
        '--no-usage-report',
        '--log-format=raw',
        '--address=',
        ...(told ? [`--console-output=${printed}`] : []),
        join(paths.scenarios, `${scenario}.ts`),
      ]
      // Figures go out as they are made, so their sender stays where it can reach that.
      const isWriting = env.K6_PROMETHEUS_RW_SERVER_URL !== undefined
      const calls = isWriting ? '' : [...Object.values(env), requests].join('\n')
      const [command, ...args] = onCores(within(calls, argv))
      try {
        if (requests !== undefined) await writeFile(sent, requests, { mode: 0o600 })
        const running = execa(command!, args, {
          extendEnv: false,
          env: {
            ...surroundings(process.env, { folder, isWriting }),
            ...rarelyCollecting(memory),
            ...env,
            SUMMARY: summary,
            ...(requests !== undefined && { REQUESTS: sent }),
          },
          reject: false,
          all: true,
          // All of it may be more than fits into memory: k6 writes a line for each request that fails.
          buffer: false,
          detached: true,
          cancelSignal: signal,
          forceKillAfterDelay: 1000,
        })
        if (running.pid) track(running.pid)
        const watch = watchGenerator(running, on, endEarly)
        const words = lastWordsOf(running.all)
        const { exitCode, signal: killed, failed, durationMs } = await running
        const endedAt = Date.now()
        const looks = watch.stop()
        signal.throwIfAborted()
        const seen = await wholeJson(summary)
        if (seen === null) refuseFullDisk(folder)
        return [
          {
            summary: seen,
            failed: failed && !stoppedCodes.includes(exitCode!),
            killed: killed !== undefined,
            stopped: stoppedByItself.includes(exitCode!),
            ended: exitCode === undefined ? (killed ?? 'no start') : `exit code ${exitCode}`,
            endedAt,
            elapsed: durationMs / 1000,
            cpuSeconds: looks.at(-1)?.seconds ?? null,
            looks,
            log: await words,
            ...(told && { told: await linesOf(printed) }),
          },
        ]
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  }
}

/** What k6 needs of the user's environment to start, and to reach what is loaded. */
const needed = /^(PATH|SSL_CERT_(FILE|DIR))$/
/** A proxy that the lab itself goes through, as Node is told. */
const proxies = /^(https?|no)_proxy$/i
/** The credentials and headers of a place that the user agreed to write to. */
const ofRemoteWrite = /^K6_PROMETHEUS_RW_/

/**
 * Everything else in it could change what k6 sends, and where its figures go: each option of k6 is a variable, and a
 * file in its user's home, too.
 */
export function surroundings(
  env: NodeJS.ProcessEnv,
  { folder, isWriting }: { folder: string; isWriting: boolean },
): NodeJS.ProcessEnv {
  const isKept = (name: string) =>
    needed.test(name)
    || (isWriting && ofRemoteWrite.test(name))
    || (env.NODE_USE_ENV_PROXY === '1' && proxies.test(name))
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name))), HOME: folder, TMPDIR: folder }
}

/** Null also where the file ends early. */
async function wholeJson(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  try {
    JSON.parse(text)
    return text
  } catch {
    return null
  }
}

/** The CPU time of an ended process cannot be read, so it is read while the process runs. */
function watchGenerator(
  running: { pid?: number; kill(signal: 'SIGINT'): boolean },
  cores: number[],
  endEarly: (() => boolean) | undefined,
): { stop(): GeneratorLook[] } {
  const looks: GeneratorLook[] = []
  const shallEnd = askToEnd(endEarly)
  const end = repeat(
    async () => {
      if (shallEnd()) running.kill('SIGINT')
      const stat = running.pid === undefined ? null : await readStat(running.pid)
      const busy = await busySeconds(cores)
      if (stat) looks.push({ at: Date.now(), seconds: stat.cpu, ...(busy !== null && { busy }) })
    },
    250,
    failProcess,
  )
  return {
    stop() {
      end()
      return looks
    },
  }
}

/** A scenario that printed nothing made no file. */
async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').filter(Boolean)
}
