import type { IDataObject, INodeType, INodeTypeDescription, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow'

import { credentials, description as settings, settingsOf } from '../bull/credential'
import { openQueue } from '../bull/queue'
import { lookAt } from './look'
import { description, readParameters } from './parameters'
import { describe, watch } from './watch'

/** The last report of triggers that lost Redis: n8n 0.x starts them again with the data of their first start. */
const lastBeforeLoss = new Map<string, { pressed: boolean }>()

export class QueuePressureTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Queue Pressure Trigger',
    name: 'queuePressureTrigger',
    // n8n 0.x loads no other form; its own ground serves both themes.
    // eslint-disable-next-line @n8n/community-nodes/icon-prefer-themed-variants
    icon: 'file:queuePressureTrigger.svg',
    group: ['trigger'],
    version: [1, 2],
    subtitle: '={{ "above " + $parameter["over"] }}',
    description: "Starts the workflow when n8n's queue is under pressure for a time, and again when it has recovered",
    defaults: { name: 'Queue Pressure Trigger' },
    inputs: [],
    // eslint-disable-next-line @n8n/community-nodes/node-connection-type-literal -- n8n 0.x has no NodeConnectionTypes
    outputs: ['main'],
    credentials,
    properties: [...description, settings],
  }

  async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
    const parameters = readParameters(this)
    const given = this.getNodeParameter('settings', {}) as IDataObject
    const queue = await openQueue(await settingsOf(this, given))
    const emit = (event: IDataObject) => this.emit([[{ json: event }]])

    if (this.getMode() === 'manual') {
      return {
        // A user who tests it in the editor wants to see the present state, and not wait for pressure.
        manualTriggerFunction: async () => {
          const look = await lookAt(queue, parameters.capacity)
          emit(describe(look.jobs > parameters.rules.over * look.capacity, look, Date.now()))
        },
        closeFunction: async () => queue.close(),
      }
    }

    const kept = this.getWorkflowStaticData('node')
    const key = `${this.getWorkflow().id}/${this.getNode().name}`
    Object.assign(kept, lastBeforeLoss.get(key))
    lastBeforeLoss.delete(key)

    const stop = watch(queue, parameters, {
      kept,
      changed: emit,
      // n8n then shows the error, runs the error workflow, and tries to start the trigger again.
      lost: (error) => {
        lastBeforeLoss.set(key, { pressed: kept.pressed === true })
        this.emitError(error)
      },
    })
    return { closeFunction: async () => stop() }
  }
}
