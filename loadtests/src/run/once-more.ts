import { isInvalid } from '../lib/errors.ts'

/** A generator that something else has ended gets a second try, which n8n has no part in. */
export async function onceMore<Result>(drive: () => Promise<Result>, warn: (text: string) => void): Promise<Result> {
  try {
    return await drive()
  } catch (error) {
    if (!isInvalid(error) || error.code !== 'generator-lost') throw error
    warn(`${error.message} The step was driven again.`)
    return drive()
  }
}
