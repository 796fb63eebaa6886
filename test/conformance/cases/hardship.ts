import type { Area, Case } from '../case.ts'
import { chain, node, set, webhook } from '../workflow.ts'

const longWait = node('Wait', 'wait', 1.1, { amount: 50 }, { webhookId: 'ha-killed-wait' })

const killed: Case[] = [
  {
    name: 'a kill in the middle, and the start after it',
    workflows: [
      chain('ha-killed', [
        webhook('ha-killed', { responseMode: 'onReceived' }),
        set({ first: 'done' }),
        longWait,
        set({ never: 'run' }, 'After'),
      ]),
      chain('ha-after', [webhook('ha-after'), set({ works: 'again' })]),
    ],
    async act(n8n) {
      await n8n.ask('/webhook/ha-killed')
      await n8n.until('it waits', () => n8n.hasStarted('ha-killed-2'))
      await n8n.crash()
      await n8n.ended('ha-killed')
      await n8n.ask('/webhook/ha-after')
    },
    ends: ['crashed', 'success'],
  },
]

/** In minutes, and so that nothing deleted is kept for a while. */
const often = {
  EXECUTIONS_DATA_PRUNE_SOFT_DELETE_INTERVAL: '0.05',
  EXECUTIONS_DATA_PRUNE_HARD_DELETE_INTERVAL: '0.02',
  EXECUTIONS_DATA_HARD_DELETE_BUFFER: '0',
}

const pruned: Case[] = [
  {
    name: 'old executions are pruned',
    workflows: [],
    async act(n8n) {
      await n8n.restart({ ...often, EXECUTIONS_DATA_PRUNE: 'true', EXECUTIONS_DATA_PRUNE_MAX_COUNT: '10' })
      await n8n.until('so few executions are left', async () => (await n8n.rows('execution_entity')).length < 20)
    },
    ends: [],
  },
]

export const hardship: Area = { name: 'kills and pruning', cases: [...killed, ...pruned] }
