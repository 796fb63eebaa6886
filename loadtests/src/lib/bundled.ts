import { readdirSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { paths } from './paths.ts'

/** The names of the workflows that come with the project: samples, which say nothing of an operator's own. */
export const bundledNames = (): string[] =>
  readdirSync(paths.workflows, { recursive: true, encoding: 'utf8' })
    .filter((file) => extname(file) === '.json')
    .map((file) => basename(file, '.json'))
