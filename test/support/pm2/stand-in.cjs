/** Listens, is ready a while later, and ends like n8n: on one signal, without waiting for callers. */
const http = require('node:http')
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')

const port = process.env[process.argv[2] === 'worker' ? 'QUEUE_HEALTH_CHECK_PORT' : 'N8N_PORT']
let ready = false
const server = http.createServer((request, response) => {
  if (!ready) return response.writeHead(503).end()
  if (request.url === '/healthz/readiness') return response.end()
  setTimeout(() => response.end(String(process.pid)), 200)
})
server.listen(port, '127.0.0.1', () => setTimeout(() => (ready = true), 800))
if (process.env.N8N_USER_FOLDER) writeFileSync(join(process.env.N8N_USER_FOLDER, 'was-here'), '')
console.log(`${process.argv[2] ?? 'start'} in ${process.env.N8N_USER_FOLDER ?? 'home'}`)
process.once('SIGINT', () => {
  console.log('Stopping')
  server.close()
  setTimeout(() => process.exit(0), 50)
})
