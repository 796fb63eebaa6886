import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patchFiles } from './patch-files.ts'
import { runtime } from './runtime.ts'

const applyPatches = join(import.meta.dirname, 'apply-patches.cjs')

/** Runs a script on that n8n's Node and packages, as they came and with one of the chart's patches; it prints JSON. */
export function eachWay(
  version: string,
  patch: string,
  script: string,
  ...flags: string[]
): { plain: unknown; patched: unknown } {
  const { folder, node } = runtime(version)
  const root = join(folder, 'node_modules/n8n')
  const files = mkdtempSync(join(tmpdir(), 'n8n-tuned-patches-'))
  const run = (...more: string[]) => {
    const env = { PATH: process.env.PATH, PATCH_LOADER: patchFiles(files), N8N_ROOT: root, N8N_TUNED_PATCHES: patch }
    return JSON.parse(
      execFileSync(node, [...flags, ...more, '-e', script], {
        cwd: root,
        encoding: 'utf8',
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    ) as unknown
  }
  try {
    return { plain: run(), patched: run('--require', applyPatches) }
  } finally {
    rmSync(files, { recursive: true })
  }
}
