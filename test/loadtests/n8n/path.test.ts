import { describe, expect, it } from '@jest/globals'
import { completed } from '../../../loadtests/src/n8n/exported.ts'
import { mainPathOf } from '../../../loadtests/src/n8n/path.ts'
import { condition, node, webhook, workflow, type Built } from '../../e2e/fixtures/kinds/build.ts'

const pathOf = (built: Built) => mainPathOf(completed(built, built.name), ['Webhook'])
const check = (name: string) => node(name, 'if', 2.2, { conditions: condition('={{ $json.body.a }}', 'equals', 1) })

describe('the main path', () => {
  it('takes the branch that leads to the most nodes, and ends where that ends', () => {
    const { nodes, end, branches } = pathOf(
      workflow('w', [webhook('w'), check('If'), node('Short', 'noOp', 1)], {
        also: [
          ['If', 1, 'Long'],
          ['Long', 0, 'End'],
        ],
        others: [node('Long', 'noOp', 1), node('End', 'noOp', 1)],
      }),
    )
    expect(nodes).toEqual(['Webhook', 'If', 'Long', 'End'])
    expect(end).toBe('End')
    expect(branches).toEqual(['If → Long'])
  })

  it('takes no output of errors, however much that leads to', () => {
    const failing = { ...node('Ask', 'httpRequest', 4.2, { url: 'https://a.example' }), onError: 'continueErrorOutput' }
    const { nodes } = pathOf(
      workflow('w', [webhook('w'), failing, node('Done', 'noOp', 1)], {
        also: [
          ['Ask', 1, 'Log'],
          ['Log', 0, 'Alert'],
        ],
        others: [node('Log', 'noOp', 1), node('Alert', 'noOp', 1)],
      }),
    )
    expect(nodes).toEqual(['Webhook', 'Ask', 'Done'])
  })

  it('leaves a loop', () => {
    const { end } = pathOf(
      workflow('w', [webhook('w'), node('Look', 'noOp', 1), check('Done'), node('End', 'noOp', 1)], {
        also: [['Done', 1, 'Look']],
      }),
    )
    expect(end).toBe('End')
  })
})
