import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { FromApart } from './apart.ts'
import { LabError } from './errors.ts'
import { root } from './paths.ts'

/** The process of `apart`: it calls functions of one module, one at a time. */

// Who asks may be ended without a word, while this one hears nothing.
const watching = `setInterval(() => process.ppid === ${process.ppid} || process.kill(process.pid, 'SIGKILL'), 500)`
new Worker(watching, { eval: true }).unref()
process.on('disconnect', () => process.exit())

enableCompileCache(join(root, 'node_modules/.cache/compiled'))

/** The stack, a text or a list has become as long as there can be one. */
const outgrown = /call stack|(string|array) length|maximum size|allocation failed|count value/i

const module = import(pathToFileURL(process.argv[2]!).href) as Promise<Record<string, (...args: unknown[]) => unknown>>
const say = (message: FromApart) => process.send!(message)

process.on('message', ({ name, args }: { name: string; args: unknown[] }) => {
  void answer(name, args).then(say)
})

async function answer(name: string, args: unknown[]): Promise<FromApart> {
  try {
    const called = (await module)[name]!
    say({ is: 'begun' })
    return { is: 'done', result: await called(...args) }
  } catch (error) {
    if (error instanceof LabError) {
      const { code, message, hint, exit, log } = error
      return { is: 'refused', error: { code, message, hint, exit, log } }
    }
    if (error instanceof RangeError && outgrown.test(error.message)) return { is: 'too costly' }
    const { message, stack } = error as Error
    return { is: 'failed', message, stack }
  }
}
