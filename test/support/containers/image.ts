import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * A small image of this machine's own Node and shell, so that no registry is needed. It passes for n8n's, whose ports
 * the lab knows.
 */
export const smallImage = { repository: 'localhost/n8n-tuned-test/n8n', tag: process.versions.node }

export function makeSmallImage(program: string): void {
  const name = `${smallImage.repository}:${smallImage.tag}`
  try {
    execFileSync(program, ['image', 'inspect', name], { stdio: 'ignore' })
  } catch {
    build(program, name)
  }
}

function build(program: string, name: string): void {
  const root = mkdtempSync(join(tmpdir(), 'n8n-tuned-image-'))
  try {
    for (const folder of ['tmp', 'proc', 'sys', 'dev', 'etc', 'run']) mkdirSync(join(root, folder))
    copy(process.execPath, join(root, 'usr/local/bin/node'))
    copy('/bin/sh', join(root, 'bin/sh'))
    for (const library of [...librariesOf(process.execPath), ...librariesOf('/bin/sh')])
      copy(library, join(root, library))
    const archive = execFileSync('tar', ['--create', '--directory', root, '.'], { maxBuffer: 2 ** 30 })
    execFileSync(program, ['import', '--change', 'ENTRYPOINT ["/usr/local/bin/node"]', '-', name], {
      input: archive,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
  } finally {
    rmSync(root, { recursive: true })
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(realpathSync(from), to)
}

const librariesOf = (file: string) =>
  [...execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/(\/\S+)/g)].map(([path]) => path)
