#!/usr/bin/env node
// Begins the installed package. Older releases of Node cannot even read the program, so this file says so for them.
const [major, minor] = process.versions.node.split('.').map(Number)
const refuse = (message, fix) => {
  process.stderr.write(`${message}\nFix: ${fix}\n`)
  process.exit(2)
}
if (major < 22 || (major === 22 && minor < 13))
  refuse(
    `n8n-tuned needs Node 22.13 or later, this is Node ${process.versions.node}.`,
    'https://nodejs.org/en/download',
  )
if (process.platform === 'win32')
  refuse('n8n-tuned does not run on Windows itself.', 'Run it in WSL: https://learn.microsoft.com/windows/wsl/install')

// The lab reads n8n's SQLite with Node's own module, which Node calls experimental on each start.
const { emitWarning } = process
process.emitWarning = (warning, ...rest) =>
  String(warning).startsWith('SQLite is') || emitWarning.call(process, warning, ...rest)

await import('./src/main.js')
