import { createWriteStream, openSync } from 'node:fs'
import type { Readable } from 'node:stream'

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

export function openLog(path: string): ContainerLog {
  // Opened at once, because a stream would open it later, when its folder may be gone.
  const file = createWriteStream(path, { fd: openSync(path, 'a', 0o600) })
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
