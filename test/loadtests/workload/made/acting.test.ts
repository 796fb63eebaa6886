import { findWorkflows } from '../../../../loadtests/src/workload/open.ts'
import type { Exported } from '../../../../loadtests/src/n8n/exported.ts'
import { temporaryFolder } from '../../../support/temporary.ts'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where services are called for real, nothing else stands in for anything. */

const node = (name: string, kind: string, parameters = {}) => ({
  ...{ id: name, name, type: `n8n-nodes-base.${kind}`, typeVersion: 1, position: [0, 0], parameters },
})
const workflow = {
  ...{ id: 'acts', name: 'acts', active: false, settings: {} },
  nodes: [
    { ...node('In', 'webhook', { path: 'acts' }), webhookId: 'acts' },
    node('Command', 'executeCommand', { command: 'reboot' }),
    node('Remote', 'ssh', { command: 'reboot' }),
    node('Write', 'readWriteFile', { operation: 'write', fileName: '/etc/x' }),
    node('Old write', 'writeBinaryFile', { fileName: '/etc/x' }),
    node('Read', 'readWriteFile', { fileSelector: '/etc/shadow' }),
    node('Clone', 'git', { operation: 'clone' }),
    node('Ask', 'httpRequest', { url: 'https://api.example.com' }),
  ],
  connections: {},
}

const folder = temporaryFolder()

async function nodesOf(given: { spared?: boolean }) {
  const file = join(folder, 'acts.json')
  await writeFile(file, JSON.stringify(workflow))
  const [found] = await findWorkflows(file, { file: '--workflow', line: null }, given)
  const { nodes } = found!.imports.at(-1) as Exported
  return {
    warnings: found!.warnings,
    nodes: nodes.map(({ name, type, disabled }) => [name, type.split('.')[1], disabled]),
  }
}

test('nodes that run programs, or touch files of the machine, are left out, and said', async () => {
  const { nodes, warnings } = await nodesOf({ spared: true })
  expect(nodes).toEqual([
    ['In', 'webhook', undefined],
    ['Command', 'set', undefined],
    ['Remote', 'set', undefined],
    ['Write', 'readWriteFile', true],
    ['Old write', 'writeBinaryFile', true],
    ['Read', 'readWriteFile', true],
    ['Clone', 'git', true],
    ['Ask', 'httpRequest', undefined],
  ])
  for (const name of ['Command', 'Remote', 'Write', 'Old write', 'Read', 'Clone'])
    expect(warnings.join('\n')).toContain(`"${name}": `)
})

test('in a cluster, where a pod has them, they stay', async () => {
  const { nodes } = await nodesOf({})
  expect(nodes.map(([, kind]) => kind)).toEqual(workflow.nodes.map(({ type }) => type.split('.')[1]))
})
