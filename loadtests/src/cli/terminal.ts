import type { Progress } from '../run/context.ts'

/** On a terminal one line replaces itself, with the elapsed time; elsewhere each step is a plain line. */
export interface Terminal extends Progress {
  close(): void
}

export function openTerminal(stream: NodeJS.WriteStream): Terminal {
  return stream.isTTY ? interactive(stream) : plain(stream)
}

function plain(stream: NodeJS.WriteStream): Terminal {
  let last = ''
  const print = (line: string) => {
    if (line !== last) stream.write(`${line}\n`)
    last = line
  }
  return { say: print, doing: (text) => print(`… ${text}`), close() {} }
}

function interactive(stream: NodeJS.WriteStream): Terminal {
  let current = ''
  let since = Date.now()
  const draw = () => {
    if (current === '') return
    const seconds = Math.floor((Date.now() - since) / 1000)
    stream.write(`\r\x1b[K${`${current} ${seconds} s`.slice(0, stream.columns - 1)}`)
  }
  const clear = () => stream.write('\r\x1b[K')
  const timer = setInterval(draw, 1000)
  return {
    say(line) {
      clear()
      stream.write(`${line}\n`)
      draw()
    },
    doing(text) {
      if (text !== current) since = Date.now()
      current = text
      draw()
    },
    close() {
      clearInterval(timer)
      clear()
    },
  }
}
