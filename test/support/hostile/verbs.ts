import { rmSync } from 'node:fs'
import { inProcess } from '../in-process.ts'
import type { Said } from '../command.ts'

/** What a test of costs calls in a process of its own, which is ended where a verb does not end. */

/** The verb in a folder; what it wrote there is removed. */
export async function said(words: string[], remove: string[]): Promise<Said> {
  try {
    return await inProcess(...words)
  } finally {
    for (const path of remove) rmSync(path, { recursive: true, force: true })
  }
}
