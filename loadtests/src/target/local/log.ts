import { createWriteStream, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { failProcess, type Fail } from '../../support/fail.ts'

const remembered = 40

/** A container's output: all of it in a file, its last lines in memory for error messages. */
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
  let partial = ''
  return {
    follow(stream) {
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => {
        file.write(chunk)
        const parts = (partial + chunk).split('\n')
        partial = parts.pop()!
        lines = [...lines, ...parts].slice(-remembered)
      })
    },
    tail: (count = 15) => [...lines, partial].filter((line) => line.trim()).slice(-count),
    includes: (text) => lines.some((line) => line.includes(text)) || partial.includes(text),
    mark() {
      lines = []
      partial = ''
    },
    close: () => void file.end(),
  }
}
