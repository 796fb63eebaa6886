/**
 * Runs in each n8n before n8n itself does. It tells PM2 when n8n is ready, which is a while after it listens. Where
 * several processes share a port, it also guards the port: a cluster hands out connections as soon as a process
 * listens. So n8n listens on a private port, and the shared port opens when n8n is ready. When the process is told to
 * end, the shared port closes first, open requests get their answers, and only then n8n gets the signal.
 */
function attend() {
  const cluster = require('node:cluster')
  const { mkdirSync, mkdtempSync, rmSync } = require('node:fs')
  const http = require('node:http')
  const net = require('node:net')
  const { tmpdir } = require('node:os')
  const { join } = require('node:path')

  /** Asks until the answer is 200. */
  const whenReady = (url, then) => {
    const again = () => setTimeout(whenReady, 250, url, then).unref()
    http
      .get(url, { agent: false, timeout: 5000 }, (answer) => {
        answer.resume()
        if (answer.statusCode === 200) then()
        else again()
      })
      .on('timeout', function () {
        this.destroy()
      })
      .on('error', again)
  }
  const announce = () => process.send?.('ready')

  if (cluster.isWorker) keepDoor()
  else if (process.env.N8N_TUNED_READY) whenReady(process.env.N8N_TUNED_READY, announce)

  function keepDoor() {
    ownFolder()
    const door = { close: (then) => then() }
    const open = new Set()
    let leaving = false

    const { listen } = net.Server.prototype
    net.Server.prototype.listen = function (port, host, then) {
      const ready = new URL(process.env.N8N_TUNED_READY)
      if (String(port) !== ready.port) return listen.apply(this, arguments)
      net.Server.prototype.listen = listen
      this.prependListener('request', (request, response) => {
        open.add(response.on('close', () => open.delete(response)))
        if (leaving) response.setHeader('Connection', 'close')
      })
      const own = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.emit('connection', socket))
      own.on('error', (error) => this.emit('error', error))
      return listen.call(this, { port: 0, host: '127.0.0.1', exclusive: true }, () => {
        then?.()
        ready.host = `127.0.0.1:${this.address().port}`
        whenReady(ready, () => {
          if (leaving) return
          door.close = (closed) => own.close(closed)
          listen.call(own, port, host, announce)
        })
      })
    }

    /** Callers with open connections are told to make a new one; Node closes the idle ones itself. */
    const leave = (then) => {
      leaving = true
      for (const response of open) if (!response.headersSent) response.setHeader('Connection', 'close')
      new Promise((resolve) => {
        door.close(resolve)
        setTimeout(resolve, Number(process.env.N8N_TUNED_DRAIN) * 1000)
      }).then(then)
    }
    const { once } = process
    process.once = function (event, answer) {
      if (event !== 'SIGINT' && event !== 'SIGTERM') return once.apply(this, arguments)
      return once.call(this, event, (...told) => leave(() => answer(...told)))
    }
  }

  /** The files that n8n writes to its folder describe one process. The next process starts while this one ends. */
  function ownFolder() {
    const folder = mkdtempSync(join(tmpdir(), 'n8n-'))
    mkdirSync(join(folder, '.n8n'))
    process.env.N8N_USER_FOLDER = folder
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  }
}
