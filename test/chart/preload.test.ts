import { describe, expect, test } from '@jest/globals'
import { eachWay } from '../support/each-way.ts'
import { versions } from '../support/runtime.ts'

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

describe('rareSyncs', () => {
  /** A process opens a database as n8n does, commits, waits until its journal was synced, and is killed; another one looks. */
  const script = `
    const { mkdtempSync, rmSync } = require('fs')
    const folder = mkdtempSync(require('os').tmpdir() + '/n8n-tuned-test-')
    const write = async (database) => {
      const files = Object.getPrototypeOf(await require('fs').promises.open('/dev/null'))
      const { datasync } = files
      const synced = new Promise((resolve) => (files.datasync = async function () {
        await datasync.call(this)
        resolve(true)
      }))
      const { DataSource } = require('@n8n/typeorm')
      const source = await new DataSource({ type: 'sqlite-pooled', database, enableWAL: true, poolSize: 2, acquireTimeout: 60_000, destroyTimeout: 5_000 }).initialize()
      const [{ journal_mode: journal }] = await source.query('PRAGMA journal_mode')
      await source.transaction(async (manager) => {
        const [{ synchronous }] = await manager.query('PRAGMA synchronous')
        await manager.query('CREATE TABLE kept (journal, synchronous)')
        await manager.query('INSERT INTO kept VALUES (?, ?)', [journal, synchronous])
      })
      const inTime = await Promise.race([synced, new Promise((resolve) => setTimeout(resolve, 3000, false))])
      require('fs').writeSync(1, JSON.stringify(inTime))
      process.kill(process.pid, 'SIGKILL')
    }
    const flags = process.execArgv.slice(0, process.execArgv.indexOf('-e'))
    const { signal, stdout } = require('child_process').spawnSync(process.execPath, [...flags, '-e', '(' + write + ')(process.argv[1])', folder + '/database.sqlite'], { encoding: 'utf8' })
    new (require('sqlite3').Database)(folder + '/database.sqlite').all('SELECT * FROM kept', (_, kept) => {
      rmSync(folder, { recursive: true })
      console.log(JSON.stringify({ signal, synced: JSON.parse(stdout), kept }))
    })`

  test('has the journal reach the disk a moment later instead of in every commit, and loses nothing when n8n is killed', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'rareSyncs', script)
    const [normal, full] = [1, 2]
    expect(plain).toEqual({ signal: 'SIGKILL', synced: false, kept: [{ journal: 'wal', synchronous: full }] })
    expect(preloaded).toEqual({ signal: 'SIGKILL', synced: true, kept: [{ journal: 'wal', synchronous: normal }] })
  })
})

describe('sharedSyncs', () => {
  /** Writers of one database as n8n opens it, alone, together and alone again, while the disk is as slow as the script says; it tells who was answered when. */
  const script = `
    const fs = require('fs')
    const { mkdtempSync, rmSync } = fs
    const folder = mkdtempSync(require('os').tmpdir() + '/n8n-tuned-test-')
    const until = async (met) => { while (!(await met())) await new Promise((resolve) => setTimeout(resolve, 1)) }
    const { fdatasync } = fs
    const held = []
    let [syncs, holding, broken] = [0, false, false]
    fs.fdatasync = (file, done) => {
      syncs++
      if (broken) return done(Object.assign(new Error('the disk is broken'), { code: 'EIO' }))
      const sync = () => fdatasync(file, done)
      holding ? held.push(sync) : sync()
    }
    const { DataSource } = require('@n8n/typeorm')
    const main = async () => {
      const source = await new DataSource({ type: 'sqlite-pooled', database: folder + '/database.sqlite', enableWAL: true, poolSize: 2, acquireTimeout: 60_000, destroyTimeout: 5_000 }).initialize()
      const count = async () => (await source.query('SELECT count(*) AS count FROM kept'))[0].count
      const whoSyncs = async () => (await source.transaction((manager) => manager.query('PRAGMA synchronous')))[0].synchronous
      await source.query('CREATE TABLE kept (value)')
      await source.query('CREATE TABLE others (value)')
      const other = () => source.query('INSERT INTO others VALUES (0)')
      const oneByOne = async () => { for (let i = 0; i < 128; i++) await other() }
      await oneByOne()
      const quiet = { synchronous: await whoSyncs(), syncs }
      await Promise.all(Array.from({ length: 64 }, other))
      const synchronous = await whoSyncs()
      let answered = 0
      holding = true
      syncs = 0
      const alone = (value) => source.query('INSERT INTO kept VALUES (?)', [value]).then(() => answered++)
      const together = (value) => source.transaction(async (manager) => {
        await manager.query('INSERT INTO kept VALUES (?)', [value])
        await manager.query('INSERT INTO kept VALUES (?)', [-value])
      }).then(() => answered++)
      const writes = [alone(1), together(2), alone(3), together(4)]
      await until(async () => (await count()) === 6)
      await until(() => answered === 4 || held.length > 0)
      const early = answered
      holding = false
      held.forEach((sync) => sync())
      await Promise.all(writes)
      const all = { synchronous, early, answered, syncs }
      broken = true
      const failed = await alone(5).then(() => null, (error) => error.message)
      broken = false
      await alone(6)
      const kept = await count()
      const rolledBack = await source.transaction(async (manager) => {
        await manager.query('INSERT INTO kept VALUES (7)')
        throw new Error('no')
      }).catch((error) => error.message)
      const after = await count()
      await oneByOne()
      const quietAgain = await whoSyncs()
      await source.destroy()
      rmSync(folder, { recursive: true })
      console.log(JSON.stringify({ ...all, failed, kept, rolledBack, after, quiet, quietAgain }))
    }
    main()`

  test('has commits share a sync while writers wait for one another, takes the next meanwhile, and answers none before it', () => {
    const { plain, preloaded } = eachWay('2.41.1', 'sharedSyncs', script) as Record<string, { syncs: number }>
    const [normal, full] = [1, 2]
    const same = { answered: 4, kept: 8, rolledBack: 'no', after: 8, quiet: { synchronous: full, syncs: 0 }, quietAgain: full }
    expect(plain).toEqual({ ...same, synchronous: full, early: 4, syncs: 0, failed: null })
    expect(preloaded).toEqual({ ...same, synchronous: normal, early: 0, syncs: expect.any(Number), failed: 'the disk is broken' })
    expect(preloaded!.syncs).toBeLessThan(4)
  })
})

describe.each(['1.123.81', '2.41.1'])('groupedEvents on n8n %s', (version) => {
  /** n8n's own writer and thread; it tells what the log holds, and how often the thread answered. */
  const script = (ends: string): string => `
    require('reflect-metadata')
    const { existsSync, mkdtempSync, readFileSync, rmSync } = require('fs')
    const folder = mkdtempSync(require('os').tmpdir() + '/n8n-tuned-test-')
    const { MessageEventBusLogWriter } = require('./dist/eventbus/message-event-bus-writer/message-event-bus-log-writer')
    const main = async () => {
      const writer = await MessageEventBusLogWriter.getInstance({ logBasePath: folder, logBaseName: 'events', resolvedPath: { logFullBasePath: folder + '/events' } })
      const lines = () => existsSync(folder + '/events.log') ? readFileSync(folder + '/events.log', 'utf8').split('\\n').slice(0, -1).map((line) => JSON.parse(line)) : []
      const until = async (count) => { while (lines().length < count) await new Promise((resolve) => setTimeout(resolve, 1)) }
      let answers = 0
      const last = new Promise((resolve) => writer.worker.on('message', ({ command }) => command === 'endRecoveryProcess' ? resolve() : answers++))
      writer.startLogging()
      for (let i = 0; i < 20; i++) {
        writer.putMessage({ serialize: () => ({ noted: i }) })
        writer.confirmMessageSent(i, { id: '0', name: 'eventBus' })
      }
      ${ends}
      await writer.close()
      const kept = lines().map(({ noted, confirm }) => noted ?? 'confirmed ' + confirm)
      rmSync(folder, { recursive: true })
      process.stdout.write(JSON.stringify({ kept, answers }), () => process.exit())
    }
    main()`
  const all = Array.from({ length: 20 }, (_, i) => [i, `confirmed ${i}`]).flat()

  test('has the lines of a moment written together, the same and in their order', () => {
    const { plain, preloaded } = eachWay(version, 'groupedEvents', script('await until(40); writer.endRecoveryProcess(); await last'))
    expect(plain).toEqual({ kept: all, answers: 40 })
    expect(preloaded).toEqual({ kept: all, answers: 1 })
  })

  test('loses no line when n8n ends', () => {
    expect(eachWay(version, 'groupedEvents', script('')).preloaded).toEqual({ kept: all, answers: 1 })
  })
})

describe('lazyModules', () => {
  const n8n = `
    require('reflect-metadata')
    require('./dist/config')
    require('./dist/zod-alias-support')`
  const assistants = ['@langchain/core/tools', '@langchain/langgraph', 'langsmith', '@modelcontextprotocol/sdk/server/mcp.js', '@n8n/agents', '@n8n/ai-utilities', '@n8n/ai-workflow-builder', '@n8n/instance-ai', '@n8n/workflow-sdk']
  const libraries = [...assistants, ...['exporter-trace-otlp-proto', 'resources', 'sdk-node', 'sdk-trace-base', 'sdk-trace-node'].map((name) => `@opentelemetry/${name}`)]

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
