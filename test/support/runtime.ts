import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** The n8n lines that everything here must work on: the version of each that is tested. */
export const versions = ['2.41.1', '0.221.2'] as const
export type Version = (typeof versions)[number]

export const isLine0 = (version: Version) => version.startsWith('0.')

export interface Runtime {
  folder: string
  node: string
  n8n: string
}

/** A real n8n and the Node it runs on; installs them on first use, which takes minutes. */
export function runtime(version: string): Runtime {
  const folder = execFileSync(join(root, 'loadtests/runtimes/install'), [version], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()
  return { folder, node: join(folder, 'node_modules/.bin/node'), n8n: join(folder, 'node_modules/n8n/bin/n8n') }
}

/**
 * Puts the built node package where npm would. A copy and no link: from a link's target Node would find
 * this repository's n8n-workflow before n8n's own.
 */
export function installNodes(modules: string): string {
  execFileSync(join(root, 'tools/build-nodes'))
  const folder = join(modules, 'n8n-nodes-tuned')
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  return folder
}
