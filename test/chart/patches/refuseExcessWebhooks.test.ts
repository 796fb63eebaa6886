import { describe, expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'

describe('refuseExcessWebhooks', () => {
  /**
   * Sends a server that does not answer as many requests as its heap has megabytes, and then some more. At last the
   * server answers, and gets another request.
   */
  const script = `
    // n8n's own server does not fit into so small a heap.
    const file = process.env.PATCH_LOADER.replace('loader', 'refuseExcessWebhooks')
    const patch = () => require(file).modules['dist/abstract-server.js']
    if (process.execArgv.includes('--require')) patch().wrap()
    const http = require('http')
    const most = Math.round(require('v8').getHeapStatistics().heap_size_limit / 2 ** 20)
    const unanswered = []
    const server = http.createServer(({ url }, response) =>
      url === '/healthz' ? response.end() : unanswered.push(response))
    const toldBy = (response) => response.resume().statusCode + ' ' + response.headers['retry-after']
    const ask = (path) => new Promise((resolve) =>
      http.get({ port: server.address().port, path }, (response) => resolve(toldBy(response))))
    const many = (count, path) => Promise.all(Array.from({ length: count }, () => ask(path)))
    const answered = () => unanswered.splice(0).forEach((response) => response.end())
    const arrived = (count) => new Promise((resolve) => {
      const look = setInterval(() => unanswered.length >= count && resolve(clearInterval(look)), 1)
    })
    server.listen(0, '127.0.0.1', async () => {
      const early = many(most, '/webhook/early')
      await arrived(most)
      const late = many(3, '/webhook/late')
      const others = many(1, '/webhook-waiting/1')
      await arrived(most + 1)
      const health = await ask('/healthz')
      if (process.execArgv.includes('--require')) await late
      else await arrived(most + 4)
      answered()
      const later = many(1, '/webhook/later')
      await arrived(1)
      answered()
      const statuses = async (asked) => [...new Set(await asked)]
      console.log(JSON.stringify({
        early: await statuses(early),
        late: await statuses(late),
        others: await statuses(others),
        health,
        later: await statuses(later),
      }))
      process.exit()
    })`
  const answeredAll = {
    early: ['200 undefined'],
    late: ['200 undefined'],
    others: ['200 undefined'],
    health: '200 undefined',
    later: ['200 undefined'],
  }

  test('refuses webhooks beyond the bound with a status, and nothing else', () => {
    const { plain, patched } = eachWay(
      '2.41.1',
      'refuseExcessWebhooks',
      script,
      '--max-old-space-size=40',
      '--max-semi-space-size=1',
    )
    expect(plain).toEqual(answeredAll)
    expect(patched).toEqual({ ...answeredAll, late: ['503 5'] })
  })

  /** Two webhooks come at 10 and 20 s, and are looked at 60 s later: before the older one is answered, and after. */
  const looks = `
    const { modules } = require(process.env.PATCH_LOADER.replace('loader', 'refuseExcessWebhooks'))
    const { webhooks } = require(process.env.PATCH_LOADER.replace('loader', 'metrics'))
    if (process.execArgv.includes('--require')) modules['dist/abstract-server.js'].wrap()
    const http = require('http')
    const { once } = require('events')
    const server = http.createServer()
    const came = async (path, second) => {
      process.uptime = () => second
      http.get({ port: server.address().port, path }).on('response', (response) => response.resume())
      const [, response] = await once(server, 'request')
      process.uptime = () => second + 60
      return response
    }
    const main = async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const ages = [webhooks.oldest()]
      const first = await came('/webhook/first', 10)
      ages.push(webhooks.oldest())
      await came('/webhook/second', 20)
      first.writeHead(200).write('The beginning of an answer.')
      ages.push(webhooks.oldest())
      console.log(JSON.stringify(ages))
      process.exit()
    }
    main()`

  test('tells the age of the oldest webhook that has no answer', () => {
    const { plain, patched } = eachWay('2.41.1', 'refuseExcessWebhooks', looks)
    expect(plain).toEqual([0, 0, 0])
    expect(patched).toEqual([0, 60, 60])
  })
})
