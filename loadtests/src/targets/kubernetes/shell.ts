import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { endAtExit, killGroup } from '../../lib/processes.ts'

/** Keeps one shell open for many questions: starting a shell for every look would cost more than the look. */
export interface Shell {
  /** The lines of the answer; null when the shell does not answer in time, or has ended. */
  ask(timeout: number): Promise<string[] | null>
  ended(): boolean
  close(): void
}

const endOfAnswer = '.'

/** Runs `look` in that shell for every question. Built-in commands of the shell start no process. */
export function openShell(argvFor: (command: string[]) => string[], look: string): Shell {
  const script = `while read -r question; do ${look}\necho ${endOfAnswer}; done`
  const [command, ...args] = argvFor(['sh', '-c', script])
  const child = spawn(command!, args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  endAtExit(child.pid)
  let ended = false
  let lines: string[] = []
  let waiting: ((answer: string[] | null) => void) | null = null
  const answer = (said: string[] | null) => {
    const tell = waiting
    waiting = null
    tell?.(said)
  }
  const end = () => {
    ended = true
    answer(null)
  }
  child.on('error', end).on('exit', end)
  child.stdin.on('error', end)
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line !== endOfAnswer) return void lines.push(line)
    answer(lines)
    lines = []
  })
  return {
    ended: () => ended,
    ask: (timeout) =>
      new Promise((resolve) => {
        // One question at a time, because a late answer would be taken for the answer to the next question.
        if (ended || waiting) return resolve(null)
        const timer = setTimeout(() => resolve(null), timeout)
        waiting = (said) => {
          clearTimeout(timer)
          resolve(said)
        }
        child.stdin.write('\n')
      }),
    close: () => killGroup(child.pid),
  }
}
