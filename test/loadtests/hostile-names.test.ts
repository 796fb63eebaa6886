import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { exitCodes } from '../../loadtests/src/lib/errors.ts'
import { seed } from '../../loadtests/src/targets/local/seed.ts'
import { findWorkflows } from '../../loadtests/src/workload/open.ts'
import { command, commandWith } from '../support/command.ts'
import { temporaryFolder, write } from '../support/temporary.ts'

/** Names that strangers chose, through the commands that meet them. */

const folder = temporaryFolder()
const victim = join(folder, 'victim')
const kept = await write(victim, 'kept.json', 'kept')
const up = `${'../'.repeat(20)}${victim.slice(1)}`

afterEach(() => {
  expect(readFileSync(kept, 'utf8')).toBe('kept')
  expect(readdirSync(victim)).toEqual(['kept.json'])
})

test.each([
  ['a mount path', `{ name: v, mountPath: "/${up}" }`, '{ name: v, emptyDir: {} }'],
  ['a path in a volume', `{ name: v, mountPath: /v, subPath: "${up}" }`, '{ name: v, emptyDir: {} }'],
  ['the name of a volume', `{ name: "${up}", mountPath: /v }`, `{ name: "${up}", emptyDir: {} }`],
])('%s in values leads to no other folder', async (_, mount, volume) => {
  const values = await write(
    folder,
    'values.yaml',
    `role: { extraVolumes: [${volume}], extraVolumeMounts: [${mount}] }`,
  )
  const { exit, err } = await command('check', '--values', values, '--dry-run')
  expect({ exit, err }).toEqual({
    exit: exitCodes.usage,
    err: expect.stringMatching(/^Expected the mount path|a path of|the name of/),
  })
})

test('a workflow’s id is no path to a file, and what calls the workflow still finds it', async () => {
  const id = `${up}/kept`
  const call = { type: 'n8n-nodes-base.executeWorkflow', name: 'Call', parameters: { workflowId: { value: id } } }
  const webhook = { type: 'n8n-nodes-base.webhook', name: 'Webhook', parameters: { path: 'x' } }
  const called = { type: 'n8n-nodes-base.executeWorkflowTrigger', name: 'Called', parameters: {} }
  const file = await write(folder, 'workflows.json', [
    { id: 'caller', name: 'Caller', nodes: [webhook, call], connections: {} },
    { id, name: 'Called', nodes: [called], connections: {} },
  ])
  const workflows = await findWorkflows(`${file}#caller`, { file, line: null })
  const imported = join(folder, 'seed')
  await seed(async () => {}, '2.41.1', { workflows, folder: imported })
  expect(readdirSync(imported)).toEqual(['00000.json', '00001.json'])
  const [target, caller] = workflows[0]!.imports
  expect(target!.id).toMatch(/^\d+$/)
  expect(JSON.stringify(caller)).toContain(`"workflowId":{"value":"${target!.id}"}`)
})

test('a manifest of a benchmark names no file beyond its folder', async () => {
  await write(folder, 'victim-workflow.json', { nodes: [] })
  const file = await write(folder, 'own/scenario.manifest.json', {
    scenarioData: { workflowFiles: ['../victim-workflow.json'] },
  })
  const { exit, err } = await command('check', '--workflow', relative('.', file), '--dry-run')
  expect({ exit, err }).toEqual({ exit: exitCodes.usage, err: expect.stringContaining('a relative path without ".."') })
})

test('a server that is asked what it ran chooses no place for a file', async () => {
  const id = `${up}/kept`
  const webhook = { type: 'n8n-nodes-base.webhook', name: 'Webhook', parameters: { path: 'x' } }
  const startedAt = new Date().toISOString()
  const lists: Record<string, object[]> = {
    workflows: [{ id, name: 'x\n- y: z', nodes: [webhook], connections: {} }],
    executions: ['webhook', 'x\nbase: { image: { tag: evil } }'].map((mode) => ({
      id: 1,
      workflowId: id,
      mode,
      startedAt,
    })),
  }
  const server = createServer(({ url }, response) => {
    const data = lists[new URL(url!, 'http://n8n').pathname.split('/').at(-1)!]
    response.end(JSON.stringify({ data, nextCursor: null }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const out = join(folder, 'learned.yaml')
  const { exit } = await commandWith({ N8N_API_KEY: 'key' }, 'learn', '--from', from, '--out', out, '--yes')
  server.close().closeAllConnections()
  expect(exit).toBe(exitCodes.invalid)
  const [file, ...others] = readdirSync(join(folder, 'learned'))
  expect([file, others]).toEqual([expect.stringMatching(/^\d+\.json$/), []])
  const profile = readFileSync(out, 'utf8')
  expect(profile).toContain(`learned/#${file!.replace('.json', '')}`)
  expect(profile.split('\n').filter((line) => line.startsWith('base'))).toEqual(['base: {}'])
  expect(existsSync(`${victim}/kept.json`)).toBe(true)
})
