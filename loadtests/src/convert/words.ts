import type { Converted } from './convert.ts'
import { movedSecret, type Note } from './draft.ts'

/** What the reader has to know and do, beside the values. */
export function notesOf({ secrets, changed, left }: Converted, inside: string): string {
  const parts = [
    secrets.size > 0 ? `While the old n8n runs, copy its secrets (bash):\n\n${copySecrets([...secrets], inside)}` : '',
    section('Different from now on:', changed),
    section('Left to you:', left),
  ]
  return parts.filter(Boolean).join('\n')
}

/** Read from n8n's environment, so that it does not matter which Secret or file they came from. */
function copySecrets(secrets: [string, 'environment' | 'folder'][], inside: string): string {
  const folder = 'JSON.parse(require("fs").readFileSync("/home/node/.n8n/config")).encryptionKey'
  const files = secrets.map(([name, now]) => {
    const text = now === 'folder' ? folder : `process.env.${name}`
    return `  --from-file=${name}=<(${inside} node -e 'process.stdout.write(${text})')`
  })
  return `${[`kubectl create secret generic ${movedSecret}`, ...files].join(' \\\n')}\n`
}

function section(title: string, notes: Note[]): string {
  return notes.length === 0 ? '' : `${title}\n${notes.map(({ path, text }) => `  ${path}: ${text}\n`).join('')}`
}
