import { createServer } from 'node:http'

createServer((_, response) => response.end(String(process.pid))).listen(Number(process.env.PORT), process.env.HOST)
