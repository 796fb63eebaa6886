import { createServer, type Server, type Socket } from 'node:net'

/** A mail server that takes every mail and delivers none. `took`: how long a mail took, in milliseconds. */
export function smtpServer(took: (recipient: string, ms: number) => void, wait: () => Promise<void>): Server {
  return createServer((socket) => {
    socket.setEncoding('utf8')
    socket.on('error', () => socket.destroy())
    serve(socket, took, wait)
  })
}

function serve(socket: Socket, took: (recipient: string, ms: number) => void, wait: () => Promise<void>): void {
  const say = (line: string) => void socket.write(`${line}\r\n`)
  let pending = ''
  let inData = false
  let awaiting = 0
  let began = performance.now()
  say('220 mock ESMTP')
  socket.on('data', (text: string) => {
    pending += text
    for (;;) {
      if (inData) {
        const end = pending.indexOf('\r\n.\r\n')
        if (end < 0) return
        pending = pending.slice(end + 5)
        inData = false
        void wait().then(() => {
          took('smtp', performance.now() - began)
          say('250 2.0.0 taken')
        })
        continue
      }
      const end = pending.indexOf('\r\n')
      if (end < 0) return
      const line = pending.slice(0, end)
      pending = pending.slice(end + 2)
      if (awaiting > 0) {
        say(--awaiting ? '334 UGFzc3dvcmQ6' : '235 2.7.0 accepted')
        continue
      }
      const [verb = ''] = line.toUpperCase().split(' ')
      if (verb === 'EHLO') socket.write('250-mock\r\n250-AUTH PLAIN LOGIN\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n')
      else if (/^AUTH LOGIN$/i.test(line)) {
        awaiting = 2
        say('334 VXNlcm5hbWU6')
      } else if (/^AUTH LOGIN /i.test(line)) {
        awaiting = 1
        say('334 UGFzc3dvcmQ6')
      } else if (verb === 'AUTH') say('235 2.7.0 accepted')
      else if (verb === 'DATA') {
        inData = true
        say('354 go on')
      } else if (verb === 'QUIT') {
        say('221 2.0.0 bye')
        socket.end()
      } else {
        if (verb === 'MAIL') began = performance.now()
        say('250 2.0.0 ok')
      }
    }
  })
}
