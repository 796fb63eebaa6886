import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { until } from '../../loadtests/src/lib/await.ts'
import { freePorts } from '../../loadtests/src/lib/ports.ts'
import { openBull, type BullQueue } from '../support/bull.ts'
import { startN8n, type N8n } from '../support/n8n.ts'
import { signUp, type Owner } from '../support/owner-account.ts'
import { startRedis, type RedisServer } from '../support/redis.ts'
import { isLine0, versions } from '../support/runtime.ts'
import { temporaryFolder, write } from '../support/temporary.ts'
import { bundled, type WorkflowFile } from './files.ts'

const folder = temporaryFolder()
const find = (name: string) => bundled.find((one) => one.name === name)!

/** The file as its note tells a user to change it. */
async function adapted(
  name: string,
  change: (node: (name: string) => WorkflowFile['nodes'][number]) => void,
): Promise<string> {
  const workflow = structuredClone(find(name).workflow)
  change((wanted) => workflow.nodes.find((node) => node.name === wanted)!)
  return write(folder, `${Math.random()}/${name}.json`, workflow)
}

/** A chat's incoming webhook. */
async function startChat(): Promise<{ server: Server; url: string; heard: string[] }> {
  const heard: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    heard.push((JSON.parse(body) as { text: string }).text)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard }
}

describe.each(versions)('on n8n %s', (version) => {
  let redis: RedisServer
  let n8n: N8n
  let chat: Awaited<ReturnType<typeof startChat>>
  let stuckChat: Awaited<ReturnType<typeof startChat>>
  let bull: BullQueue

  beforeAll(async () => {
    redis = await startRedis()
    bull = openBull(version, { redis: { port: redis.port, host: '127.0.0.1' } })
    chat = await startChat()
    stuckChat = await startChat()
    const alert = await adapted('backlog-alert', (node) => {
      Object.assign(node('Queue Pressure').parameters, {
        capacityIs: 'fixed',
        capacity: 2,
        overSeconds: 0.5,
        underSeconds: 0.5,
        everySeconds: 0.1,
      })
      node('Tell the Chat').parameters.url = chat.url
    })
    const [port] = (await freePorts(1)) as [number]
    const smoke = await adapted('capacity-smoke-test', (node) => {
      const { parameters } = node('Requests')
      parameters.functionCode = String(parameters.functionCode)
        .replace(':5678', `:${port}`)
        .replace('withinSeconds = 5', 'withinSeconds = 40')
    })
    const retry = await adapted('retry-crashed', (node) => {
      node('Every 5 Minutes').parameters.rule = { interval: [{ field: 'seconds', secondsInterval: 6 }] }
      for (const name of ['List Crashed', 'Retry'])
        node(name).parameters.url = String(node(name).parameters.url).replace(':5678', `:${port}`)
    })
    const stuck = await adapted('stuck-executions', (node) => {
      node('Every 5 Minutes').parameters.rule = { interval: [{ field: 'seconds', secondsInterval: 2 }] }
      node('List Running').parameters.url = String(node('List Running').parameters.url).replace(':5678', `:${port}`)
      node('Tell the Chat').parameters.url = stuckChat.url
    })
    const ofLine2 = isLine0(version) ? [] : [stuck]
    n8n = await startN8n(
      version,
      [alert, smoke, retry, ...ofLine2, find('cpu-webhook').path, find('wait-5s-webhook').path],
      {
        port,
        env: { EXECUTIONS_PROCESS: 'main' },
        credentials: [
          {
            id: '5678001',
            name: 'n8n’s Redis',
            type: 'n8nQueueRedis',
            data: { connection: 'server', host: '127.0.0.1', port: redis.port, database: 0, password: '' },
          },
          // What it holds is known once there is an owner to make the key.
          {
            id: '5678002',
            name: 'n8n’s API',
            type: 'httpHeaderAuth',
            data: { name: 'X-N8N-API-KEY', value: 'none yet' },
          },
        ],
      },
    )
  }, 300_000)
  afterAll(async () => {
    await n8n?.stop()
    await bull?.close(true)
    await redis?.stop()
    for (const one of [chat, stuckChat]) {
      one?.server.close()
      one?.server.closeAllConnections()
    }
  })

  test('the backlog alert tells the chat of pressure and of recovery, also after Redis was lost', async () => {
    for (let id = 0; id < 6; id++) await bull.add('job', { executionId: String(id) })
    expect(await until(async () => chat.heard.length === 1, { timeout: 30_000, every: 50 })).toBe(true)
    expect(chat.heard[0]).toMatch(/^n8n is behind: 6 executions wait and 0 run, with room for 2, since 20/)

    await redis.kill()
    await until(async () => n8n.log().includes('Lost Redis'), { timeout: 30_000, every: 50 })
    await redis.restart()
    expect(await until(async () => chat.heard.length === 2, { timeout: 30_000, every: 50 })).toBe(true)
    expect(chat.heard[1]).toMatch(/^n8n has caught up: 0 executions wait/)
  }, 300_000)

  test('the capacity smoke test answers whether 20 requests were answered well in time', async () => {
    const answer = (await (await fetch(`${n8n.url}/webhook/capacity-smoke-test`)).json()) as { seconds: number }
    expect(answer).toMatchObject({ holds: true, requests: 20, failed: 0, withinSeconds: 40 })
    expect(answer.seconds).toBeGreaterThan(0.4)
  }, 300_000)

  // The public API of 0.x can retry nothing, and does not list what runs.
  if (!isLine0(version)) {
    let owner: Owner
    beforeAll(async () => {
      owner = await signUp(n8n)
      await owner.changeCredential('5678002', {
        name: 'X-N8N-API-KEY',
        value: await owner.makeApiKey(['execution:list', 'execution:read', 'execution:retry']),
      })
    }, 300_000)

    test('an execution that runs without a job is told to the chat once, one with a job is not', async () => {
      const running = async () =>
        (await owner.executions({ workflowId: find('wait-5s-webhook').workflow.id }))
          .filter(({ status }) => status === 'running')
          .map(({ id }) => String(id))
      const known: string[] = []
      const startOne = async () => {
        await fetch(`${n8n.url}/webhook/load-test`)
        await until(async () => (await running()).some((id) => !known.includes(id)), { timeout: 4000, every: 50 })
        known.push(...(await running()).filter((id) => !known.includes(id)))
      }
      await startOne()
      await bull.add('job', { executionId: known[0] })
      await startOne()
      const told = () => stuckChat.heard.filter((text) => known.some((id) => text.includes(`${id} of workflow`)))
      expect(await until(async () => told().length > 0, { timeout: 30_000, every: 50 })).toBe(true)
      await until(async () => (await running()).length === 0, { timeout: 30_000, every: 100 })
      expect(told()).toEqual([expect.stringMatching(new RegExp(`: ${known[1]} of workflow 5678001\\. Restart main`))])
    }, 300_000)

    test('what crashed with its n8n is retried, once', async () => {
      const executions = () => owner.executions({ workflowId: find('wait-5s-webhook').workflow.id })
      await fetch(`${n8n.url}/webhook/load-test`)
      // It answers at once, and does not find again what it had not noted as running when it was killed.
      expect(
        await until(async () => (await executions()).some(({ status }) => status === 'running'), {
          timeout: 5000,
          every: 50,
        }),
      ).toBe(true)
      await n8n.crash()
      const retried = async () => (await executions()).filter(({ mode }) => mode === 'retry')
      expect(
        await until(async () => (await retried()).some(({ status }) => status === 'success'), {
          timeout: 60_000,
          every: 500,
        }),
      ).toBe(true)
      // Long enough for the next two looks.
      await new Promise((resolve) => setTimeout(resolve, 13_000))
      expect(await retried()).toHaveLength(1)
    }, 300_000)
  }
})
