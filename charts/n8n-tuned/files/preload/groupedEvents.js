// n8n notes in its event log what it begins and ends, several lines for each step of an execution. A thread of its own opens
// the log, writes one line, closes it and sends back a word that nobody waits for. Here the lines of a moment go there together.
const fs = require('fs')
const Module = require('module')

const compile = Module.prototype._compile

Module.prototype._compile = function (source, file, ...rest) {
  if (thread.test(file)) return compile.call(this, source.replace(one, several), file, ...rest)
  const compiled = compile.call(this, source, file, ...rest)
  if (writer.test(file) && takesSeveral(file)) linesWait(this.exports.MessageEventBusLogWriter?.prototype ?? {})
  return compiled
}

const writer = /[\\/]message-event-bus-log-writer\.js$/
const thread = /[\\/]message-event-bus-log-writer-worker\.js$/

const one = `JSON.stringify(msg) + '\\n'`
const several = `[].concat(msg).map((line) => JSON.stringify(line) + '\\n').join('')`

const takesSeveral = (file) => fs.readFileSync(file.replace(/\.js$/, '-worker.js'), 'utf8').includes(one)

/** How long a line waits for others, in ms. */
const moment = 10

function linesWait(prototype) {
  const { spawnThread } = prototype
  if (!spawnThread) return
  prototype.spawnThread = async function () {
    const spawned = await spawnThread.call(this)
    if (this.worker) together(this.worker)
    return spawned
  }
}

function together(worker) {
  const { postMessage, terminate } = worker
  let lines = []
  let sent = 0
  let written = () => {}

  worker.postMessage = (message, ...rest) => {
    if (!isLine(message)) {
      send()
      postMessage.call(worker, message, ...rest)
    } else if (lines.push(message.data) === 1) setTimeout(send, moment)
  }
  worker.on('message', (answer) => {
    if ((answer.command === 'appendMessageToLog' || answer instanceof Error) && --sent === 0) written()
  })
  // n8n ends the thread at once, whatever that still has to write, which would be more lines than it is without us.
  worker.terminate = async () => {
    send()
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    if (sent > 0) await Promise.race([exited, new Promise((resolve) => (written = resolve))])
    return terminate.call(worker)
  }

  function send() {
    if (lines.length === 0) return
    postMessage.call(worker, { command: 'appendMessageToLog', data: lines })
    lines = []
    sent++
  }
}

const isLine = ({ command }) => command === 'appendMessageToLog' || command === 'confirmMessageSent'
