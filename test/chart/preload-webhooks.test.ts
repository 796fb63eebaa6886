import { describe, expect, test } from '@jest/globals'
import { eachWay } from '../support/each-way.ts'

describe('boundedWebhooks', () => {
  /** As many callers of a server that answers nobody as its heap has megabytes, and then some more; at last it answers, and is asked again. */
  const script = `
    const http = require('http')
    const most = Math.round(require('v8').getHeapStatistics().heap_size_limit / 2 ** 20)
    const unanswered = []
    const server = http.createServer((request, response) => request.url === '/healthz' ? response.end() : unanswered.push(response))
    const ask = (path) => new Promise((resolve) => http.get({ port: server.address().port, path }, (response) => resolve(response.resume().statusCode + ' ' + response.headers['retry-after'])))
    const many = (count, path) => Promise.all(Array.from({ length: count }, () => ask(path)))
    const answered = () => unanswered.splice(0).forEach((response) => response.end())
    const arrived = (count) => new Promise((resolve) => { const look = setInterval(() => unanswered.length >= count && resolve(clearInterval(look)), 1) })
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
      console.log(JSON.stringify({ early: await statuses(early), late: await statuses(late), others: await statuses(others), health, later: await statuses(later) }))
      process.exit()
    })`
  const answeredAll = { early: ['200 undefined'], late: ['200 undefined'], others: ['200 undefined'], health: '200 undefined', later: ['200 undefined'] }

  test('refuses webhooks beyond the bound with a status, and nothing else', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'boundedWebhooks', script, '--max-old-space-size=40', '--max-semi-space-size=1')
    expect(plain).toEqual(answeredAll)
    expect(preloaded).toEqual({ ...answeredAll, late: ['503 5'] })
  })
})

describe('groupedWebhooks', () => {
  /** A server whose event loop is never idle and that answers six of its turns later: how many begin in one turn, and whether somebody has to wait. */
  const script = `
    const http = require('http')
    const timer = setTimeout
    let waits = 0
    global.setTimeout = (...args) => (waits++, timer(...args))
    let turn = 0
    let calm = false
    const asked = []
    const server = http.createServer((request, response) => (calm ? timer(() => response.end(), 50) : asked.push({ turn, response })))
    const ask = (path) => new Promise((resolve) => http.get({ port: server.address().port, path, agent: false }, (response) => response.resume().on('end', () => resolve(response.statusCode))))
    const untilAnswered = async (count, path, isTime) => {
      const began = []
      const statuses = new Set()
      let sent = 0
      let answered = 0
      waits = 0
      while (answered < count) {
        turn++
        for (const end = performance.now() + 8; performance.now() < end;);
        if (sent < count && isTime(sent, answered)) sent++, void ask(path).then((status) => (answered++, statuses.add(status)))
        while (asked[0]?.turn <= turn - 6) began.push(asked[0].turn), asked.shift().response.end()
        await new Promise(setImmediate)
      }
      return { statuses: [...statuses], waits: waits > 0, together: Math.max(...began.map((one) => began.filter((other) => other === one).length)) }
    }
    const everyThirdTurn = () => turn % 3 === 0
    const oneAfterTheOther = (sent, answered) => sent === answered
    server.listen(0, '127.0.0.1', async () => {
      const several = await untilAnswered(20, '/webhook/several', everyThirdTurn)
      const others = await untilAnswered(10, '/webhook-waiting/1', everyThirdTurn)
      const alone = await untilAnswered(5, '/webhook/alone', oneAfterTheOther)
      await new Promise((resolve) => timer(resolve, 1000))
      calm = true
      waits = 0
      await Promise.all([ask('/webhook/calm'), ask('/webhook/calm'), ask('/webhook/calm')])
      console.log(JSON.stringify({ several, others, alone, calm: { waits: waits > 0 } }))
      process.exit()
    })`
  const { plain, preloaded } = eachWay('2.41.1', 'groupedWebhooks', script) as Record<string, { several: { together: number } }>
  const oneByOne = { statuses: [200], waits: false, together: 1 }

  test('has webhooks of a busy n8n begin together, where each begins when it comes without it', () => {
    expect(plain!.several).toEqual(oneByOne)
    expect(preloaded!.several).toMatchObject({ statuses: [200], waits: true })
    expect(preloaded!.several.together).toBeGreaterThan(1)
  })

  test('has nobody wait who is alone, nothing but webhooks, and nobody while n8n is not busy', () => {
    const nobody = { others: oneByOne, alone: oneByOne, calm: { waits: false } }
    expect(plain).toMatchObject(nobody)
    expect(preloaded).toMatchObject(nobody)
  })
})
