import { describe, expect, test } from '@jest/globals'
import { completed } from '../../../../loadtests/src/n8n/exported.ts'
import { inferredRequest } from '../../../../loadtests/src/workload/inferred/request.ts'
import { readsOf } from '../../../../loadtests/src/workload/inferred/reads.ts'
import { triggersOf } from '../../../../loadtests/src/n8n/address.ts'
import { code, node, webhook, workflow, type Node } from '../../../e2e/fixtures/kinds/build.ts'

/** The request that a form gets of which nothing else is known. */
const sentTo = (form: Node, ...after: Node[]) => {
  const exported = completed(workflow('form', [form, ...after]), 'form')
  const [trigger] = triggersOf(exported)
  return inferredRequest(trigger!, readsOf(exported, [form.name]).outputOf(form.name), exported)
}

describe('a form that wants a file', () => {
  const formFor = (field: object) => ({
    ...node('Form', 'formTrigger', 2.2, { formFields: { values: [{ fieldType: 'file', ...field }] } }),
    webhookId: 'f-1',
  })

  test('gets one that it accepts', () => {
    const { files } = sentTo(formFor({ fieldLabel: 'Image', acceptFileTypes: '.jpg, .png' }))
    expect(files).toMatchObject({ Image: { name: 'sample.jpg' } })
  })

  test('gets an image where a model looks at it', () => {
    const looks = node('Look', '@chainLlm', 1.5, { messages: { messageValues: [{ messageType: 'imageBinary' }] } })
    expect(sentTo(formFor({ fieldLabel: 'Upload' }), looks).files).toMatchObject({ Upload: { name: 'sample.png' } })
  })
})

it('a body that is read only by names that are known later has the usual fields', () => {
  const { body } = sentTo(webhook('w'), code('Code', 'for (const key in $json.body) $json.body[key].trim()'))
  expect(body).toMatchObject({ id: '{{counter}}', name: 'Ada Lovelace', email: 'ada.lovelace@example.com' })
})
