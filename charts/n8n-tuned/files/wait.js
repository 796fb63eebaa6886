// Waits for what this pod cannot start without: tcp://host:port accepts, http://… answers 200.
const http = require('http')
const net = require('net')

const tries = {
  'tcp:': ({ hostname, port }) => new Promise((resolve) => {
    const socket = net.connect({ host: hostname, port, timeout: 2000 }, () => end(true))
    const end = (there) => { socket.destroy(); resolve(there) }
    socket.on('error', () => end(false)).on('timeout', () => end(false))
  }),
  'http:': (url) => new Promise((resolve) => {
    http.get(url, { timeout: 5000 }, (answer) => { answer.resume(); resolve(answer.statusCode === 200) })
      .on('timeout', function () { this.destroy() }).on('error', () => resolve(false))
  }),
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function wait(target) {
  const url = new URL(target)
  for (let tried = 0; !(await tries[url.protocol](url)); tried++) {
    if (tried % 20 === 0) console.log(`waiting for ${target}`)
    await sleep(500)
  }
}

process.on('SIGTERM', () => process.exit(143))
Promise.all(process.env.WAIT_FOR.split(' ').map(wait))
