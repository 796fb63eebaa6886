import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'

/** Reading a file that somebody names: what is none (a pipe, a device, a folder) is refused before it can hang. */

/** A string can hold no more. */
const most = 500 * 2 ** 20

/** What a shell hands over: `/dev/stdin`, and `<(a command)`. */
const handed = /^\/(dev|proc\/self)\/(stdin|fd\/\d+)$/

export async function readBytes(path: string): Promise<Buffer> {
  if (handed.test(path)) return readFile(path)
  // Opening a pipe would wait for its other end.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = await file.stat()
    if (stat.isDirectory()) throw new Error('a folder')
    if (!stat.isFile()) throw new Error('a pipe or a device')
    if (stat.size > most) throw new Error(`a file of ${Math.round(stat.size / 2 ** 20)} MiB`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

export const readText = async (path: string): Promise<string> => (await readBytes(path)).toString('utf8')
