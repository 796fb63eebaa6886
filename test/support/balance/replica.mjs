/** One of several servers behind a balancer, which says who it is, or at /from who asks. node replica.mjs PORT */
import { createServer } from 'node:http'

const port = Number(process.argv[2])
createServer(({ url, socket }, response) => response.end(url === '/from' ? socket.remoteAddress : String(port))).listen(
  port,
  '127.0.0.1',
)
