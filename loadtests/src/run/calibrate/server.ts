/** A bare Node HTTP handler that counts to half a million, as in the clustering article. */
import { createServer } from 'node:http'

const steps = 500_000

const server = createServer((_request, response) => {
  let count = 0
  for (let step = 0; step < steps; step++) count += step
  response.end(String(count))
})

server.listen(Number(process.env.PORT), process.env.HOST)
