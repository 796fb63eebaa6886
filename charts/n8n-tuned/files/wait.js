// Waits for what this pod cannot start without: tcp://host:port accepts, http://… answers 200.
const http = require('http')
const net = require('net')

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const tries = {
  'tcp:': ({ hostname, port }) => new Promise((resolve) => {
    const socket = net.connect({ host: hostname, port })
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false)).on('close', () => resolve(false))
    sleep(3000).then(() => socket.destroy())
  }),
  'http:': (url) => new Promise((resolve) => {
    // A connection of its own: who answered the last time may be gone.
    const request = http.get(url, { agent: false }, ({ statusCode }) => resolve(statusCode === 200))
    request.on('error', () => resolve(false)).on('close', () => resolve(false))
    sleep(5000).then(() => request.destroy())
  }),
}

async function wait(target) {
  const url = new URL(target)
  // Whatever becomes of a try, there is a next one.
  while (!(await Promise.race([tries[url.protocol](url), sleep(6000)]))) {
    console.log(`waiting for ${target}`)
    await sleep(1000)
  }
}

process.on('SIGTERM', () => process.exit(143))
// At once: no connection left open keeps the pod waiting.
Promise.all(process.env.WAIT_FOR.split(' ').map(wait)).then(() => process.exit(0))
