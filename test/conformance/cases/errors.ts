import type { Area, Case } from '../case.ts'
import { chain, code, connect, node, set, webhook, workflow } from '../workflow.ts'

const boom = (more: object = {}) => ({ ...code(`throw new Error('boom')`), ...more })
const fails =
  (path: string): Case['act'] =>
  async (n8n) =>
    void (await n8n.ask(`/webhook/${path}`, { status: 500 }))
const works =
  (path: string): Case['act'] =>
  async (n8n) =>
    void (await n8n.ask(`/webhook/${path}`))
const error = { ends: ['error'] }

const call = (url: string, more: object = {}, parameters: object = {}) =>
  node('Call', 'httpRequest', 4.2, { url, options: {}, ...parameters }, more)

const errorOutput = () => {
  const [start, failing, good, bad] = [
    webhook('er-output'),
    boom({ onError: 'continueErrorOutput' }),
    set({ came: 'well' }, 'Good'),
    set({ came: '={{ $json.error }}' }, 'Bad'),
  ]
  return workflow(
    'er-output',
    [start, failing, good, bad],
    [connect(start, [[failing]]), connect(failing, [[good], [bad]])],
  )
}

const cases: Case[] = [
  {
    name: 'a node fails',
    workflows: [chain('er-fails', [webhook('er-fails'), boom()])],
    act: fails('er-fails'),
    ...error,
  },
  {
    name: 'stop and error',
    workflows: [
      chain('er-stop', [
        webhook('er-stop'),
        node('Stop', 'stopAndError', 1, { errorMessage: '=No more, {{ 1 + 1 }}' }),
      ]),
    ],
    act: fails('er-stop'),
    ...error,
  },
  {
    name: 'a failure calls the error workflow',
    workflows: [
      chain('er-caught', [webhook('er-caught'), boom()], { settings: { errorWorkflow: 'er-catcher' } }),
      chain('er-catcher', [
        node('Error Trigger', 'errorTrigger', 1),
        set({
          message: '={{ $json.execution.error.message }}',
          of: '={{ $json.workflow.id }}',
          node: '={{ $json.execution.lastNodeExecuted }}',
        }),
      ]),
    ],
    act: fails('er-caught'),
    ends: ['error', 'success'],
  },
  {
    name: 'a failure that is gone on from',
    workflows: [
      chain('er-continue', [webhook('er-continue'), boom({ onError: 'continueRegularOutput' }), set({ after: 'all' })]),
    ],
    act: works('er-continue'),
  },
  { name: 'a failure with an output of its own', workflows: [errorOutput()], act: works('er-output') },
  {
    name: 'a failure that was always gone on from',
    workflows: [chain('er-old', [webhook('er-old'), boom({ continueOnFail: true }), set({ after: 'all' })])],
    act: works('er-old'),
  },
  {
    name: 'a request that fails',
    workflows: [chain('er-request', [webhook('er-request'), call('http://outside/status/503')])],
    act: fails('er-request'),
    ...error,
  },
  {
    name: 'a request that fails and is gone on from',
    workflows: [
      chain('er-request-on', [
        webhook('er-request-on'),
        call('http://outside/status/404', { onError: 'continueRegularOutput' }),
      ]),
    ],
    act: works('er-request-on'),
  },
  {
    name: 'a request that works when tried again',
    workflows: [
      chain('er-third', [
        webhook('er-third'),
        call('http://outside/third/one', { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 }),
      ]),
    ],
    act: works('er-third'),
  },
  {
    name: 'a request that fails each time',
    workflows: [
      chain('er-never', [
        webhook('er-never'),
        call('http://outside/status/500', { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 }),
      ]),
    ],
    act: fails('er-never'),
    ...error,
  },
  {
    name: 'an execution that takes too long',
    workflows: [
      chain(
        'er-timeout',
        [
          webhook('er-timeout', { responseMode: 'onReceived' }),
          node('Wait', 'wait', 1.1, { amount: 20 }, { webhookId: 'er-timeout-wait' }),
          set({ late: 'yes' }),
        ],
        { settings: { executionTimeout: 1 } },
      ),
    ],
    act: works('er-timeout'),
    ends: ['canceled'],
  },
  {
    name: 'an execution is tried again',
    workflows: [
      chain('er-retry', [webhook('er-retry'), call('http://outside/third/two'), set({ says: '={{ $json.says }}' })]),
    ],
    async act(n8n) {
      await n8n.ask('/webhook/er-retry', { status: 500 })
      const [first] = await n8n.ended('er-retry')
      await n8n.rest('POST', `/executions/${first!.id}/retry`, { loadWorkflow: false })
      await n8n.ended('er-retry', 2)
      await n8n.rest('POST', `/executions/${first!.id}/retry`, { loadWorkflow: true })
    },
    ends: ['error', 'error', 'success'],
  },
  {
    name: 'an expression that reads from nothing',
    workflows: [
      chain('er-expression', [webhook('er-expression'), set({ broken: '={{ $json.query.nothing.at.all }}' })]),
    ],
    act: works('er-expression'),
  },
  {
    name: 'a node that n8n does not have',
    workflows: [
      chain('er-unknown', [webhook('er-unknown'), node('Unknown', 'n8n-nodes-base.doesNotExist', 1)], {
        publish: false,
      }),
    ],
    act: async (n8n) => void (await n8n.ask('/webhook/er-unknown', { status: 404 })),
    ends: [],
  },
]

export const failures: Area = { name: 'errors', cases }
