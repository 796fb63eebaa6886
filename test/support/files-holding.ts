import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Every file below the folder. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())

export const filesHolding = (folder: string, text: string): string[] =>
  filesIn(folder).filter((file) => readFileSync(file, 'utf8').includes(text))
