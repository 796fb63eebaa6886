// Runs this package's nodes on a real n8n-core, for a test that forked this with the Node of that n8n.
// argv: the folder of the n8n runtime, the folder of the installed package, the line (0 or 2), a folder for n8n's
// files.
const { createRequire } = require('node:module')
const { join } = require('node:path')

const [, , runtime, packageFolder, line, home] = process.argv
// What n8n does at its start, so that community nodes find its n8n-workflow.
process.env.NODE_PATH = join(runtime, 'node_modules')
require('node:module').Module._initPaths()

const n8n = createRequire(join(runtime, 'node_modules/n8n/package.json'))
const core = require(`./line-${line}.cjs`)(n8n)

const start = {
  description: {
    name: 'start',
    displayName: 'Start',
    group: ['trigger'],
    version: 1,
    defaults: {},
    inputs: [],
    outputs: ['main'],
    properties: [],
  },
  execute: async () => [[]],
}

const nodeTypes = core.loader(packageFolder)
const types = {
  getByName: (name) =>
    name === 'test.start'
      ? start
      : Object.entries(nodeTypes.loaded()).find(([key]) => name === key || name === `n8n-nodes-tuned.${key}`)?.[1].type,
  getByNameAndVersion: (name) => types.getByName(name),
}
const describe = (node) => types.getByName(`n8n-nodes-tuned.${node}`).description

/** Start → the node; a trigger stands alone. */
function makeWorkflow({ node, parameters, settings = {}, credentials = {}, staticData = {} }) {
  const { Workflow } = n8n('n8n-workflow')
  const { displayName, group } = describe(node)
  const own = {
    id: '2',
    name: displayName,
    type: `n8n-nodes-tuned.${node}`,
    typeVersion: 1,
    position: [200, 0],
    parameters,
    ...settings,
  }
  own.credentials = Object.fromEntries(Object.keys(credentials).map((type) => [type, { id: '1', name: type }]))
  const isTrigger = group.includes('trigger')
  const workflow = new Workflow({
    id: '1',
    name: 'test',
    active: false,
    nodes: isTrigger
      ? [own]
      : [{ id: '1', name: 'Start', type: 'test.start', typeVersion: 1, position: [0, 0], parameters: {} }, own],
    connections: isTrigger ? {} : { Start: { main: [[{ node: displayName, type: 'main', index: 0 }]] } },
    nodeTypes: types,
    staticData: { [`node:${displayName}`]: staticData },
    settings: { executionOrder: 'v1' },
  })
  return { workflow, name: displayName, start: isTrigger ? displayName : 'Start' }
}

const describeError = (error) =>
  error && { name: error.name, message: error.message, itemIndex: error.context?.itemIndex, node: error.node?.name }

/** One execution; the items of Start are pinned. */
async function execute(job) {
  const { items = [{}], credentials = {}, mode = 'trigger', cancelAfter } = job
  const { workflow, name, start } = makeWorkflow(job)
  const pinData = start === 'Start' ? { Start: items.map((json) => ({ json })) } : undefined
  const running = core.run(workflow, { start, mode, credentials, pinData })
  if (cancelAfter !== undefined) setTimeout(() => running.cancel(), cancelAfter)
  const { status, data } = await running
  const { runData, error } = data.resultData
  return {
    status,
    items: runData[name]?.[0].data?.main[0] ?? null,
    error: describeError(error),
    staticData: workflow.staticData[`node:${name}`],
  }
}

/** What "Test" in the dialog of a credential calls. */
function testCredential({ type, data }) {
  const tested = Object.keys(nodeTypes.loaded())
    .map((name) => types.getByName(name))
    .find(({ methods }) => methods?.credentialTest)
  return tested.methods.credentialTest.connectToQueue.call({}, { id: '1', name: type, type, data })
}

const active = new Map()

/** The trigger of an active workflow: its output goes to the parent unchanged. */
async function activate(id, job) {
  const { workflow, name } = makeWorkflow(job)
  const tell = (told) => process.send({ watch: id, told: { ...told, staticData: workflow.staticData[`node:${name}`] } })
  const response = await core.trigger(workflow, name, {
    credentials: job.credentials ?? {},
    emit: (data) => tell({ event: data[0][0].json }),
    emitError: (error) => tell({ error: error.message }),
  })
  active.set(id, response)
  return {}
}

async function deactivate(id) {
  await active.get(id)?.closeFunction()
  active.delete(id)
  return {}
}

Promise.all([core.prepare(home), nodeTypes.ready]).then(() =>
  process.send({
    credentials: Object.fromEntries(
      Object.entries(nodeTypes.credentials()).map(([name, { type }]) => [name, { ...type }]),
    ),
    descriptions: Object.fromEntries(
      Object.keys(nodeTypes.loaded()).map((name) => [name.split('.').at(-1), types.getByName(name).description]),
    ),
  }),
)

process.on('message', ({ id, ask, job }) => {
  const answers = { execute, activate: () => activate(id, job), deactivate, testCredential }
  answers[ask](job).then(
    (result) => process.send({ id, result }),
    (error) => process.send({ id, failure: describeError(error), stack: error.stack }),
  )
})
// The parent is gone.
process.on('disconnect', () => process.exit())
