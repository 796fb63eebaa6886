/** One of several servers behind a balancer, which says who it is. node replica.mjs PORT */
import { createServer } from 'node:http'

const port = Number(process.argv[2])
createServer((_, response) => response.end(String(port))).listen(port, '127.0.0.1')
