import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'

/**
 * Stands before a store in its pod, as the network between n8n and it. A file says how it fails: "cut-off" keeps back
 * all data, and "lossy" one in ten pieces for as long as TCP takes to send a lost packet again. Without the file all
 * passes at once.
 */
const { LISTEN, STORE, STATE } = process.env

let state = ''
setInterval(() => {
  try {
    state = readFileSync(STATE, 'utf8').trim()
  } catch {
    state = ''
  }
}, 50)

async function passage() {
  // TCP waits at least so long, and then twice as long.
  if (state === 'lossy') for (let wait = 200; Math.random() < 0.1; wait *= 2) await setTimeout(wait)
  while (state === 'cut-off') await setTimeout(50)
}

async function* pass(pieces) {
  for await (const piece of pieces) {
    await passage()
    yield piece
  }
  await passage()
}

createServer({ allowHalfOpen: true, noDelay: true }, async (caller) => {
  caller.on('error', () => {})
  await passage()
  const store = connect({ host: '127.0.0.1', port: Number(STORE), allowHalfOpen: true, noDelay: true })
  await Promise.allSettled([pipeline(caller, pass, store), pipeline(store, pass, caller)])
}).listen(Number(LISTEN))
