import { fork, type ChildProcess } from 'node:child_process'
import { dirname, extname, join } from 'node:path'
import { LabError } from './errors.ts'
import { endAtExit, killGroup, readStat } from './processes.ts'

/**
 * What may take without end runs apart: in a process that is ended after a deadline or beyond its memory, while this
 * one stays free for signals. It is no thread: one that outgrows its memory takes all others with it, and V8 ends none
 * while it compiles a pattern. Arguments and results are plain data.
 */

/** Of a module, what can be called. */
type Functions<Module> = {
  [Name in keyof Module as Module[Name] extends (...args: never[]) => unknown ? Name : never]: Module[Name]
}
type Called<Function> = Function extends (...args: infer Args) => infer Result
  ? { args: Args; result: Awaited<Result> }
  : never

/** Calls a function of the module by its name, for so many seconds of CPU. Calls wait for each other. */
export type CallApart<Module> = <Name extends keyof Functions<Module> & string>(
  seconds: number,
  name: Name,
  ...args: Called<Module[Name]>['args']
) => Promise<Called<Module[Name]>['result']>

/** What was asked took more than it may. */
export class TooCostly extends Error {}

/** What the process says: that it begins with a call, and then how that ended. */
export type FromApart =
  | { is: 'begun' }
  | { is: 'done'; result: unknown }
  | { is: 'refused'; error: Pick<LabError, 'code' | 'message' | 'hint' | 'exit' | 'log'> }
  | { is: 'too costly' }
  | { is: 'failed'; message: string; stack: string | undefined }

/** Node, its code, and what is in no heap, such as compiled patterns. */
const besideHeap = 300
/** Milliseconds between two looks at it. */
const look = 100
/** On a machine that others use, a second of its own takes longer. */
const waits = 4

/** `beside`: the file that asks; `name`: that of the module from there, without its ending. */
export function apart<Module>(beside: string, name: string, mebibytes: number): CallApart<Module> {
  const extension = extname(beside)
  const module = join(dirname(beside), `${name}${extension}`)
  let running: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()

  function begin(): ChildProcess {
    // In a group of its own, so that Ctrl-C is for this one to answer.
    const begun = fork(join(import.meta.dirname, `apart-process${extension}`), [module], {
      detached: true,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--no-warnings', `--max-old-space-size=${mebibytes}`],
    })
    endAtExit(begun.pid)
    return begun
  }

  function end(process: ChildProcess): void {
    if (running === process) running = undefined
    killGroup(process.pid)
  }

  /** Waits for how the call ends, or ends it. */
  const answerOf = (process: ChildProcess, seconds: number, asked: { name: string; args: unknown[] }) =>
    new Promise<FromApart>((resolve) => {
      let deadline: NodeJS.Timeout | undefined
      let before: number | undefined
      const looking = setInterval(() => {
        void readStat(process.pid!).then((stat) => {
          if (!stat) return
          const isLong = before !== undefined && stat.cpu - before > seconds
          if (isLong || stat.rss > (mebibytes + besideHeap) * 2 ** 20) finish({ is: 'too costly' })
        })
      }, look)
      function finish(message: FromApart): void {
        clearTimeout(deadline)
        clearInterval(looking)
        process.off('message', hear).off('exit', gone).off('error', gone)
        resolve(message)
      }
      function hear(message: FromApart): void {
        if (message.is !== 'begun') return finish(message)
        void readStat(process.pid!).then((stat) => (before = stat?.cpu ?? 0))
        deadline = setTimeout(() => finish({ is: 'too costly' }), waits * seconds * 1000)
      }
      // By the kernel or by V8, which both end what outgrows its memory.
      const gone = () => finish({ is: 'too costly' })
      process.on('message', hear).on('exit', gone).on('error', gone)
      process.send(asked)
    })

  async function call(seconds: number, name: string, args: unknown[]): Promise<unknown> {
    const process = (running ??= begin())
    process.ref()
    process.channel?.ref()
    const said = await answerOf(process, seconds, { name, args })
    process.unref()
    process.channel?.unref()
    if (said.is === 'done') return said.result
    if (said.is === 'refused') throw new LabError(said.error)
    if (said.is === 'failed') throw Object.assign(new Error(said.message), { stack: said.stack })
    end(process)
    throw new TooCostly()
  }

  return ((seconds: number, name: string, ...args: unknown[]) => {
    const result = last.then(() => call(seconds, name, args))
    last = result.catch(() => {})
    return result
  }) as CallApart<Module>
}
