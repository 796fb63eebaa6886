import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Area, Case } from '../case.ts'
import type { Client } from '../client.ts'
import { chain, node, set, webhook } from '../workflow.ts'

const table = { __rl: true, mode: 'name', value: 'people' }
const dataTable = (name: string, operation: string, parameters: object = {}) =>
  node(name, 'dataTable', 1, { resource: 'row', operation, dataTableId: table, ...parameters })
const row = (value: object) => ({
  columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
  options: {},
})
const named = (keyValue: string) => ({
  matchType: 'allConditions',
  filters: { conditions: [{ keyName: 'name', condition: 'eq', keyValue }] },
})

async function makeTable(n8n: Client, name: string): Promise<string> {
  const { json: project } = await n8n.rest('GET', '/projects/personal')
  const base = `/projects/${project.data.id}/data-tables`
  const { json } = await n8n.rest('POST', base, {
    name,
    columns: [
      { name: 'name', type: 'string' },
      { name: 'age', type: 'number' },
    ],
  })
  return `${base}/${json.data.id}`
}

const tables: Case[] = [
  {
    name: 'a data table by nodes',
    since: '2.0.0',
    workflows: [
      chain('ta-nodes', [
        webhook('ta-nodes', { responseData: 'allEntries' }),
        dataTable('Insert', 'insert', row({ name: 'Ada', age: 36 })),
        dataTable('Update', 'update', { ...named('Ada'), ...row({ age: 37 }) }),
        dataTable('Get', 'get', { ...named('Ada'), returnAll: true }),
      ]),
    ],
    async act(n8n) {
      await makeTable(n8n, 'people')
      await n8n.ask('/webhook/ta-nodes')
    },
  },
  {
    name: 'a data table by the editor',
    since: '2.0.0',
    workflows: [],
    async act(n8n) {
      const there = await makeTable(n8n, 'things')
      await n8n.rest('POST', `${there}/insert`, {
        data: [
          { name: 'one', age: 1 },
          { name: 'two', age: 2 },
        ],
        returnType: 'all',
      })
      await n8n.rest('POST', `${there}/upsert`, {
        filter: { type: 'and', filters: [{ columnName: 'name', condition: 'eq', value: 'two' }] },
        data: { age: 22 },
        returnData: true,
      })
      await n8n.rest('GET', `${there}/rows?take=10`)
      await n8n.rest('GET', `${there}/download-csv`)
    },
    ends: [],
  },
]

const body = (name: string) => {
  const { nodes, connections, settings } = chain('x', [webhook('ap-made'), set({ made: 'by the API' })])
  return { name, nodes, connections, settings }
}

const api: Case[] = [
  {
    name: 'a workflow is made, changed, activated and deleted',
    workflows: [],
    async act(n8n) {
      const { json } = await n8n.api('POST', '/workflows', body('by the API'))
      await n8n.api('PUT', `/workflows/${json.id}`, body('by the API, changed'))
      await n8n.api('POST', `/workflows/${json.id}/activate`)
      await n8n.api('GET', `/workflows/${json.id}`)
      await n8n.api('POST', `/workflows/${json.id}/deactivate`)
      // n8n 2 takes a workflow back a while after it says so.
      await n8n.api('DELETE', `/workflows/${json.id}`, undefined, { retry: 409 })
    },
    ends: [],
  },
  {
    name: 'workflows are listed page by page',
    workflows: [],
    ends: [],
    act: async (n8n) => {
      const { json } = await n8n.api('GET', '/workflows?limit=3')
      await n8n.api('GET', `/workflows?limit=3&cursor=${json.nextCursor}`)
      await n8n.api('GET', '/workflows?name=wh-methods')
    },
  },
  {
    name: 'executions are listed, read and deleted',
    workflows: [chain('ap-run', [webhook('ap-run'), set({ ran: 'yes' })])],
    async act(n8n) {
      await n8n.ask('/webhook/ap-run')
      const [first] = await n8n.ended('ap-run')
      await n8n.api('GET', '/executions?workflowId=ap-run&includeData=true')
      await n8n.api('GET', `/executions/${first!.id}?includeData=true`)
      await n8n.api('GET', '/executions?status=error&limit=5')
      await n8n.api('DELETE', `/executions/${first!.id}`)
      await n8n.api('GET', `/executions/${first!.id}`, undefined, { status: 404 })
      await n8n.ask('/webhook/ap-run')
    },
  },
  {
    name: 'tags and who has what',
    workflows: [],
    ends: [],
    act: async (n8n) => {
      const { json } = await n8n.api('POST', '/tags', { name: 'conformance' })
      await n8n.api('PUT', '/workflows/wh-methods/tags', [{ id: json.id }])
      await n8n.api('GET', '/workflows?tags=conformance')
      await n8n.api('GET', '/users?includeRole=true')
    },
  },
  {
    name: 'what the API refuses',
    workflows: [],
    ends: [],
    act: async (n8n) => {
      await n8n.api('GET', '/workflows', undefined, { headers: { 'x-n8n-api-key': 'wrong' }, status: 401 })
      await n8n.api('GET', '/workflows/nobody', undefined, { status: 404 })
      await n8n.api('POST', '/workflows', { name: 'without nodes' }, { status: 400 })
    },
  },
  {
    name: 'workflows are exported by the command line',
    workflows: [],
    ends: [],
    act: async (n8n) => {
      await n8n.cli('export:workflow', '--id=wh-methods', `--output=${join(n8n.home, 'exported.json')}`)
      n8n.note('exported', JSON.parse(await readFile(join(n8n.home, 'exported.json'), 'utf8')))
    },
  },
]

export const dataTables: Area = { name: 'data tables', cases: tables }
export const publicApi: Area = { name: 'API', cases: api }
