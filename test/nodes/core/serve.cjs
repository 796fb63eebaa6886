// Runs Load Target on a real n8n-core, for a test that forked this with the Node of that n8n.
// argv: the folder of the n8n runtime, the folder of the installed package, the line (0 or 2).
const { createRequire } = require('node:module')
const { join } = require('node:path')

const [, , runtime, packageFolder, line] = process.argv
// What n8n does at its start, so that community nodes find its n8n-workflow.
process.env.NODE_PATH = join(runtime, 'node_modules')
require('node:module').Module._initPaths()

const n8n = createRequire(join(runtime, 'node_modules/n8n/package.json'))
const core = require(`./line-${line}.cjs`)(n8n)

const start = {
  description: { name: 'start', displayName: 'Start', group: ['trigger'], version: 1, defaults: {}, inputs: [], outputs: ['main'], properties: [] },
  execute: async () => [[]],
}

const nodeTypes = core.loader(packageFolder)
const types = {
  getByName: (name) => (name === 'test.start' ? start : Object.entries(nodeTypes.loaded()).find(([key]) => name === key || name === `n8n-nodes-tuned.${key}`)?.[1].type),
  getByNameAndVersion: (name) => types.getByName(name),
}

/** One execution of Start → Load Target: the items of Start are pinned. */
async function execute({ parameters, items = [{}], settings = {}, cancelAfter }) {
  const { Workflow } = n8n('n8n-workflow')
  const workflow = new Workflow({
    id: '1',
    name: 'test',
    active: false,
    nodes: [
      { id: '1', name: 'Start', type: 'test.start', typeVersion: 1, position: [0, 0], parameters: {} },
      { id: '2', name: 'Load Target', type: 'n8n-nodes-tuned.loadTarget', typeVersion: 1, position: [200, 0], parameters, ...settings },
    ],
    connections: { Start: { main: [[{ node: 'Load Target', type: 'main', index: 0 }]] } },
    nodeTypes: types,
    settings: { executionOrder: 'v1' },
  })
  const running = core.run(workflow, { Start: items.map((json) => ({ json })) })
  if (cancelAfter !== undefined) setTimeout(() => running.cancel(), cancelAfter)
  const { status, data } = await running
  const { runData, error } = data.resultData
  return {
    status,
    items: runData['Load Target']?.[0].data?.main[0] ?? null,
    error: error && { name: error.name, message: error.message, itemIndex: error.context?.itemIndex, node: error.node?.name },
  }
}

nodeTypes.ready.then(() => process.send({ description: types.getByName('n8n-nodes-tuned.loadTarget')?.description, version: process.version }))

process.on('message', ({ id, job }) => {
  execute(job).then(
    (result) => process.send({ id, result }),
    (error) => process.send({ id, failure: error.stack }),
  )
})
// The parent is gone.
process.on('disconnect', () => process.exit())
