import { describe, expect, test } from '@jest/globals'
import { eachWay } from '../support/each-way.ts'

describe('rareCollections', () => {
  /** What is kept for a while, as executions are, beside what is kept for good. */
  const script = `
    const { PerformanceObserver, constants } = require('perf_hooks')
    let collections = 0
    new PerformanceObserver((seen) => {
      collections += seen.getEntries().filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length
    }).observe({ entryTypes: ['gc'] })
    const some = () => Array.from({ length: 20000 }, (_, id) => ({ id }))
    const forGood = Array.from({ length: 60 }, some)
    const forAWhile = Array.from({ length: 20 }, some)
    let left = 600
    const next = () => {
      forAWhile[left % 20] = some()
      if (--left) return setImmediate(next)
      setTimeout(() => console.log(JSON.stringify({ collections, kept: forGood.length })), 100)
    }
    next()`

  test('has V8 collect its old space less often', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'rareCollections', script, '--max-old-space-size=200', '--max-semi-space-size=4') as Record<string, { collections: number }>
    expect(preloaded!.collections).toBeLessThan(plain!.collections * 0.8)
  })
})

describe('tidyStart', () => {
  /** What a start leaves behind, and then how much is held for as long as a start with nothing to do after it is watched. */
  const script = `
    let started = Array.from({ length: 1000000 }, (_, id) => ({ id }))
    const held = () => process.memoryUsage().heapUsed / 2 ** 20
    setImmediate(() => {
      started = undefined
      const atStart = held()
      const told = () => console.log(JSON.stringify({ atStart, later: held() })) || process.exit()
      setInterval(() => held() < atStart / 2 && told(), 100)
      setTimeout(told, 4000)
    })`

  test('lets go of it once there is nothing to do', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'tidyStart', script) as Record<string, { atStart: number; later: number }>
    expect(plain!.later).toBeGreaterThan(plain!.atStart / 2)
    expect(preloaded!.later).toBeLessThan(preloaded!.atStart / 2)
  })
})

describe('youngClosures', () => {
  /** KB that each of many uses leaves to the long collections, of the eight that it reaches for a moment. */
  const script = `
    const { IncomingMessage, ServerResponse } = require('http')
    const v8 = require('v8')
    v8.setFlagsFromString('--expose-gc')
    const collect = require('vm').runInNewContext('gc')
    const { rawBodyReader } = require('./dist/middlewares/body-parser.js')
    const compress = require('compression')()
    const { __generator } = require('tslib')
    const PCancelable = require('p-cancelable')
    const { ExecuteContext, InstanceSettings } = require('n8n-core')
    require('@n8n/di').Container.set(InstanceSettings, {})
    const holding = (held) => Object.assign(new IncomingMessage(null), { held })
    const workflow = { id: '1', expression: {}, nodes: {} }
    const uses = {
      compression: (held) => { const request = holding(held); compress(request, new ServerResponse(request), () => {}) },
      rawBodyReader: (held) => rawBodyReader(holding(held), null, () => {}),
      generator: (held) => __generator({ held }, () => [2]),
      cancelable: (held) => new PCancelable((resolve) => resolve(held)),
      context: (held) => new ExecuteContext(workflow, { name: 'a' }, { held }, 'webhook', { resultData: {} }, 0, [], {}, {}, []),
    }
    let waste
    const wasted = () => { for (let each = 0; each < 32; each++) waste = new Array(2048).fill(each) }
    const longLived = () => v8.getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size / 1024
    const left = async (use) => {
      const many = async (count) => { for (let each = 0; each < count; each++) { use(new Array(1024).fill(each)); wasted(); await null } }
      await many(100)
      collect()
      const before = longLived()
      await many(300)
      collect({ type: 'minor' })
      collect({ type: 'minor' })
      return (longLived() - before) / 300
    }
    void (async () => {
      const each = {}
      for (const [name, use] of Object.entries(uses)) each[name] = await left(use)
      process.stdout.write(JSON.stringify(each), () => process.exit())
    })()`

  test('has short collections let go of a request and its execution, whatever reaches them', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'youngClosures', script) as { plain: Record<string, number>; preloaded: Record<string, number> }
    for (const [use, kilobytes] of Object.entries(plain)) expect([use, kilobytes > 8]).toEqual([use, true])
    for (const [use, kilobytes] of Object.entries(preloaded)) expect([use, kilobytes < 4]).toEqual([use, true])
  })

  test('fits all that n8n assigns for a webhook', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'youngClosures', `
      require('reflect-metadata')
      const { executeWebhook } = require('./dist/webhooks/webhook-helpers.js')
      const assigned = (pattern) => executeWebhook.toString().match(pattern)?.length ?? 0
      process.stdout.write(JSON.stringify({ asBefore: assigned(/\\.\\w+ = async/g), changed: assigned(/\\.\\w+ = false \\? undefined : async/g) }), () => process.exit())`)
    expect(plain).toEqual({ asBefore: 8, changed: 0 })
    expect(preloaded).toEqual({ asBefore: 0, changed: 8 })
  })

  test('has promises be cancelled as before, with and without an error', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'youngClosures', `
      const PCancelable = require('p-cancelable')
      const cancelled = async (shouldReject) => {
        const handled = []
        const promise = new PCancelable((resolve, reject, onCancel) => {
          handled.push(onCancel.shouldReject)
          onCancel.shouldReject = shouldReject
          onCancel(() => handled.push('cancelled'))
          setTimeout(resolve, 10, 'resolved')
        })
        promise.cancel('enough')
        return [...handled, await promise.catch((error) => error.name + ': ' + error.message), promise.isCanceled]
      }
      void Promise.all([cancelled(true), cancelled(false)]).then((each) => console.log(JSON.stringify(each)))`)
    expect(preloaded).toEqual(plain)
    expect(plain).toEqual([[true, 'cancelled', 'CancelError: enough', true], [true, 'cancelled', 'resolved', true]])
  })
})
