import { createWriteStream, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { shown } from '../../secret/known.ts'
import { failProcess, type Fail } from '../../lib/repeat.ts'

const kept = 40

/** A container's output: all of it but secrets in a file, its last lines in memory for error messages. */
export interface ContainerLog {
  follow(stream: Readable): void
  tail(lines?: number): string[]
  includes(text: string): boolean
  /** Forgets the last lines: later ones belong to the next start. */
  mark(): void
  close(): void
}

export function openLog(path: string, fail: Fail = failProcess): ContainerLog {
  // Opened at once, because a stream would open it later, when its folder may be gone.
  const file = createWriteStream(path, { fd: openSync(path, 'a', 0o600) })
  // Without this, an error of the stream would end the process. Its last lines are still remembered.
  file.on('error', (error: NodeJS.ErrnoException) => fail(Object.assign(error, { path })))
  let lines: string[] = []
  /** The unfinished line of each stream: a secret may come in two pieces. */
  const unfinished = new Map<Readable, string>()
  const all = () => [...lines, ...[...unfinished.values()].map(shown)]
  return {
    follow(stream) {
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => {
        const parts = ((unfinished.get(stream) ?? '') + chunk).split('\n')
        unfinished.set(stream, parts.pop()!)
        if (parts.length === 0) return
        const whole = parts.map(shown)
        file.write(`${whole.join('\n')}\n`)
        lines = [...lines, ...whole].slice(-kept)
      })
      stream.on('close', () => {
        const rest = shown(unfinished.get(stream) ?? '')
        unfinished.delete(stream)
        if (rest === '') return
        file.write(rest)
        lines = [...lines, rest].slice(-kept)
      })
    },
    tail: (count = 15) =>
      all()
        .filter((line) => line.trim())
        .slice(-count),
    includes: (text) => all().some((line) => line.includes(text)),
    mark() {
      lines = []
      unfinished.clear()
    },
    close: () => void file.end(),
  }
}
