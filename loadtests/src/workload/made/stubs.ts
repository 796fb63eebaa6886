import type { Exported } from '../../n8n/exported.ts'

/** A workflow that is named and is not there: it hands on what it gets. */
export const stubOf = (id: string, name: string, of: 'sub-workflow' | 'error workflow'): Exported => ({
  id,
  name: `Stub of ${name}`.slice(0, 120),
  nodes: [
    {
      id: `${id}-trigger`,
      name: 'Called',
      type: of === 'sub-workflow' ? 'n8n-nodes-base.executeWorkflowTrigger' : 'n8n-nodes-base.errorTrigger',
      typeVersion: of === 'sub-workflow' ? 1.1 : 1,
      position: [0, 0],
      parameters: of === 'sub-workflow' ? { inputSource: 'passthrough' } : {},
    },
    {
      id: `${id}-end`,
      name: 'Hand on',
      type: 'n8n-nodes-base.noOp',
      typeVersion: 1,
      position: [200, 0],
      parameters: {},
    },
  ],
  connections: { Called: { main: [[{ node: 'Hand on', type: 'main', index: 0 }]] } },
})
