import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A release that npm does not have. */
export const smallN8n = '2.99.0'

/** Installs the small n8n in a cache of the lab's own form. N8N_TUNED_CACHE has to name the cache. */
export function plantSmallN8n(cache: string): void {
  const manifests = join(cache, 'n8n/manifests', smallN8n)
  mkdirSync(manifests, { recursive: true })
  const files = ['package.json', 'package-lock.json']
  for (const file of files) writeFileSync(join(manifests, file), '{}\n')
  // As `sha256sum package.json package-lock.json | sha256sum` says it in loadtests/runtimes/install.
  const sums = files.map((file) => `${sha256(readFileSync(join(manifests, file), 'utf8'))}  ${file}\n`).join('')
  const folder = join(cache, 'n8n', `${smallN8n}-${sha256(sums).slice(0, 12)}`)
  const bin = join(folder, 'node_modules/n8n/bin')
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  mkdirSync(bin, { recursive: true })
  symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'))
  copyFileSync(join(import.meta.dirname, 'release.mjs'), join(bin, 'n8n'))
  copyFileSync(join(import.meta.dirname, 'metrics.mjs'), join(bin, 'metrics.mjs'))
  writeFileSync(join(folder, 'node_modules/n8n/package.json'), '{ "type": "module" }\n')
  writeFileSync(join(folder, 'complete'), '')
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
