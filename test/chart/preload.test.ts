import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { paths } from '../../loadtests/src/paths.ts'
import { runtime, versions, type Version } from '../support/runtime.ts'

/** Runs a script on that n8n's Node and packages, with and without one of the chart's files loaded before it; it prints JSON. */
function eachWay(version: Version, setting: string, script: string, ...common: string[]): { plain: unknown; preloaded: unknown } {
  const { folder, node } = runtime(version)
  const run = (...flags: string[]) =>
    JSON.parse(execFileSync(node, [...common, ...flags, '-e', script], { cwd: join(folder, 'node_modules/n8n'), encoding: 'utf8', env: { PATH: process.env.PATH } })) as unknown
  return { plain: run(), preloaded: run('--require', join(paths.chart, 'files/preload', `${setting}.js`)) }
}

describe('lightIsolates', () => {
  const isolate = (body: string) => `
    const { IsolatedVmBridge } = require('@n8n/expression-runtime')
    const bridge = new IsolatedVmBridge({ compileCache: true, memoryLimit: 128, timeout: 5000, logger: { debug() {} } })
    const evaluate = (code) => bridge.execute('return ' + code, { $json: { name: 'Ada' } })
    bridge.initializeSync()
    process.stdout.write(JSON.stringify(${body}), () => process.exit())`

  test('makes an isolate that is megabytes smaller', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'lightIsolates', isolate('bridge.isolate.getHeapStatisticsSync().used_heap_size / 2 ** 20'))
    expect((plain as number) - (preloaded as number)).toBeGreaterThan(2)
  })

  test('writes every letter in Latin as before, one or many at a time', () => {
    const letters = 'Array.from({ length: 65536 }, (_, code) => String.fromCharCode(code))'
    const say = (text: string) => `extend(${text}, 'replaceSpecialChars', [])`
    const { plain, preloaded } = eachWay('2.41.1', 'lightIsolates', isolate(`[evaluate("${say("'Straße, Жанна, 你好, 🙂'")}"), evaluate("${letters}.map((letter) => ${say('letter')}).join('|')")]`))
    expect(preloaded).toEqual(plain)
    expect((preloaded as string[])[0]).toMatch(/^Strasse, Zhanna, /)
  })

  test('leaves other expressions as they are', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'lightIsolates', isolate(`[evaluate("this.$json.name"), evaluate("DateTime.fromMillis(0).toUTC().toFormat('cccc, d LLLL yyyy')")]`))
    expect(preloaded).toEqual(plain)
    expect(preloaded).toEqual(['Ada', 'Thursday, 1 January 1970'])
  })
})

describe.each(versions)('noQueryTraces on n8n %s', (version) => {
  const script = `
    const { Database } = require('sqlite3').verbose()
    const database = new Database(':memory:')
    database.all('SELECT 1 + ? AS sum', [1], (_, rows) =>
      database.all('SELECT absent', [], (error) => console.log(JSON.stringify({ rows, message: error.message, stack: error.stack }))))`

  test('has queries answered and failures named as before, without the arguments in the stack', () => {
    const { plain, preloaded } = eachWay(version, 'noQueryTraces', script)
    const answered = { rows: [{ sum: 2 }], message: expect.stringContaining('no such column: absent') }
    expect(plain).toMatchObject({ ...answered, stack: expect.stringContaining('--> in Database#all') })
    expect(preloaded).toMatchObject({ ...answered, stack: expect.not.stringContaining('--> in Database#all') })
  })
})

describe('lazyModules', () => {
  const n8n = `
    require('reflect-metadata')
    require('./dist/config')
    require('./dist/zod-alias-support')`
  const libraries = ['@langchain/core/tools', '@modelcontextprotocol/sdk/server/mcp.js', '@n8n/agents', '@n8n/ai-utilities', '@n8n/ai-workflow-builder', '@n8n/instance-ai', '@n8n/workflow-sdk', '@opentelemetry/sdk-node']

  test('has a start load far fewer modules', () => {
    const script = `
      process.env.N8N_ENCRYPTION_KEY = 'a key of the test'
      ${n8n}
      require('./dist/commands/start')
      require('./dist/server')
      process.stdout.write(JSON.stringify(Object.keys(require.cache).length), () => process.exit())`
    const { plain, preloaded } = eachWay('2.41.1', 'lazyModules', script) as Record<string, number>
    expect(preloaded).toBeLessThan(plain! * 0.9)
  })

  test('gives what each of the libraries has when it is asked for', () => {
    const script = `
      ${n8n}
      const kinds = (exported) => Object.keys(exported).sort().map((name) => name + ' ' + typeof exported[name])
      const seen = ${JSON.stringify(libraries)}.map((name) => [name, kinds(require(name))])
      process.stdout.write(JSON.stringify(seen), () => process.exit())`
    const { plain, preloaded } = eachWay('2.41.1', 'lazyModules', script) as Record<string, [string, string[]][]>
    expect(preloaded).toEqual(plain)
    expect(plain!.map(([, kinds]) => kinds.length > 0)).toEqual(libraries.map(() => true))
  })

  test('leaves every one of n8n’s AI nodes as it is', () => {
    const script = `
      ${n8n}
      const folder = require('path').resolve('../@n8n/n8n-nodes-langchain') + '/'
      const nodes = require(folder + 'package.json').n8n.nodes.map((file) => {
        const node = new (require(folder + file)[file.split('/').at(-1).split('.')[0]])()
        return [file, node, Object.values(node.nodeVersions ?? { 1: node }).map((version) => Object.getOwnPropertyNames(Object.getPrototypeOf(version)))]
      })
      const hash = require('crypto').createHash('sha256').update(JSON.stringify(nodes)).digest('hex')
      process.stdout.write(JSON.stringify({ nodes: nodes.length, hash }), () => process.exit())`
    const { plain, preloaded } = eachWay('2.41.1', 'lazyModules', script) as Record<string, { nodes: number }>
    expect(preloaded).toEqual(plain)
    expect(plain!.nodes).toBeGreaterThan(80)
  })
})

describe('lightStart', () => {
  /** n8n's own copying, and then what each path of the editor is answered with: the copy, or else the original. */
  const script = `
    const { createHash } = require('crypto')
    const { mkdtempSync, existsSync, readFileSync, rmSync } = require('fs')
    const copies = process.env.N8N_USER_FOLDER = mkdtempSync(require('os').tmpdir() + '/n8n-tuned-test-')
    process.env.N8N_ENCRYPTION_KEY = 'a key of the test'
    const { globSync } = require('fast-glob')
    require('reflect-metadata')
    require('./dist/config')
    require('./dist/zod-alias-support')
    const { EDITOR_UI_DIST_DIR: originals } = require('./dist/constants')
    const { Start } = require('./dist/commands/start')
    const n8n = { globalConfig: { path: '/at/a/path/', endpoints: { rest: 'rest' } }, instanceSettings: { staticCacheDir: copies }, generateConfigTags: () => '<meta>' }
    const isTorn = (content) => content.includes('\\uFFFD')
    function served(file) {
      const [copy, original] = [copies, originals].map((folder) => folder + '/' + file).map((path) => existsSync(path) ? readFileSync(path, 'utf8') : null)
      // Copying, n8n tears an emoji in two where two pieces of a file meet.
      return copy === null || (isTorn(copy) && !isTorn(original)) ? original : copy
    }
    Start.prototype.generateStaticAssets.call(n8n).then(() => {
      const answers = createHash('sha256')
      for (const file of globSync('**/*.{html,js,css}', { cwd: originals }).sort()) answers.update(file).update(served(file))
      const copied = globSync('**', { cwd: copies }).length
      rmSync(copies, { recursive: true })
      process.stdout.write(JSON.stringify({ copied, answers: answers.digest('hex') }), () => process.exit())
    })`

  test('has n8n copy few of its editor’s files, and serve the same', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'lightStart', script) as Record<string, { copied: number; answers: string }>
    expect(preloaded!.answers).toBe(plain!.answers)
    expect(plain!.copied).toBeGreaterThan(900)
    expect(preloaded!.copied).toBeLessThan(plain!.copied / 10)
  })
})

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
