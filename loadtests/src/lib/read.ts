import { constants } from 'node:fs'
import { open, readFile, type FileHandle } from 'node:fs/promises'

/** Reading a file that somebody names: what is none (a pipe, a device, a folder) is refused before it can hang. */

/** A string can hold no more. */
const most = 500 * 2 ** 20

/** What a shell hands over: `-`, `/dev/stdin`, and `<(a command)`. */
const handed = /^(-|\/(dev|proc\/self)\/(stdin|fd\/\d+))$/

export async function readBytes(path: string): Promise<Buffer> {
  if (handed.test(path)) return readFile(path === '-' ? '/dev/stdin' : path)
  const file = await openFile(path)
  try {
    const { size } = await file.stat()
    if (size > most) throw new Error(`a file of ${Math.round(size / 2 ** 20)} MiB`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Opens it for reading, of whatever size it is. */
export async function openFile(path: string): Promise<FileHandle> {
  // Opening a pipe would wait for its other end.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const stat = await file.stat()
  if (stat.isFile()) return file
  await file.close()
  throw new Error(stat.isDirectory() ? 'a folder' : 'a pipe or a device')
}

export const readText = async (path: string): Promise<string> => (await readBytes(path)).toString('utf8')
