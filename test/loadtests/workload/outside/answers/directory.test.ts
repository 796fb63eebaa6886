import { describe, expect, it } from '@jest/globals'
import type { Asking } from '../../../../../loadtests/src/workload/outside/answers/asking.ts'
import type { Hint } from '../../../../../loadtests/src/model/outside.ts'
import { answers, openDirectory } from '../../../../../loadtests/src/workload/outside/answers/directory.ts'
import { credentialMark } from '../../../../../loadtests/src/workload/made/credentials.ts'
import { askingOf } from '../../../../support/outside/asking.ts'
import { serviceFiles } from '../../../../../loadtests/src/workload/outside/service-files.ts'

const asking = (method: string, address: string, body?: unknown) => askingOf(`${method} ${address}`, body)
const found = (call: Asking, hints: Hint[] = []) => openDirectory(hints)(call)

describe('the answer of a service', () => {
  it('is made from the request by its file', () => {
    const { outcome, answer } = found(
      asking('POST', 'https://api.telegram.org/bot1:x/sendMessage', { chat_id: 5, text: 'Hi' }),
    )
    expect(outcome).toBe('answered')
    expect(answer.body).toMatchObject({ ok: true, result: { chat: { id: 5 }, text: 'Hi', message_id: 7 } })
  })

  it('is an empty list for a later page, since nodes ask until one is', () => {
    const page = (number: number) =>
      found(asking('GET', `https://mattermostapi.mock.test/api/v4/users?page=${number}`)).answer.body
    expect([page(0), page(1)]).toEqual([[expect.objectContaining({ username: 'ada' })], []])
  })

  it('has the fields that the workflow reads and the file does not know', () => {
    const hint = { node: 'Get', host: 'api.github.com', path: '/repos/*', sample: { custom: { field: 1 } }, must: null }
    const { answer } = found(asking('GET', 'https://api.github.com/repos/a/b'), [hint])
    expect(answer.body).toMatchObject({ full_name: 'example/sample', custom: { field: 1 } })
  })

  it('is that of the node whose credential asks', () => {
    const [one, other] = ['One', 'Other'].map((node) => credentialMark('w', node)) as [string, string]
    const hint = (by: string, n: number) => ({ node: by, by: [by], service: 'Shop', sample: { n }, must: { n } })
    const call = { ...asking('GET', 'https://shop.example/orders'), headers: { authorization: `Bearer ${other}` } }
    expect(found(call, [hint(one, 1), hint(other, 2)]).answer.body).toMatchObject({ n: 2 })
    const basic = { authorization: `Basic ${Buffer.from(`ada:${one}`).toString('base64')}` }
    expect(found({ ...call, headers: basic }, [hint(one, 1), hint(other, 2)]).answer.body).toMatchObject({ n: 1 })
  })

  it('has what the workflow reads in each element of a list', () => {
    const hint = { node: 'Search', service: 'Jira', sample: { custom: 'x' }, must: null }
    const { answer } = found(asking('GET', 'https://a.atlassian.net/rest/api/2/search'), [hint])
    expect(answer.body).toMatchObject({ issues: [{ key: 'LAB-1', custom: 'x' }] })
  })

  it('is rows with the columns that the workflow reads', () => {
    const hint = {
      node: 'Rows',
      service: 'Google Sheets',
      sample: { Email: 'a@example.com', Status: 'open' },
      must: null,
    }
    const { answer } = found(asking('GET', 'https://sheets.googleapis.com/v4/spreadsheets/x/values/Sheet1'), [hint])
    expect(answer.body).toMatchObject({ values: [['Email', 'Status'], ['a@example.com', 'open'], expect.anything()] })
  })
})

it.each(serviceFiles().map(({ service, source }) => [service, source]))(
  '%s: its file says what was measured and where to read it, or that the latency is assumed',
  (_, source) => expect(source).toMatch(/^assumed: |^(measured|published)\b.*https:\/\//),
)

describe('a host that no file knows is answered all the same, and said to be guessed', () => {
  it('with what the workflow reads of it', () => {
    const hint = {
      node: 'Get',
      host: 'a.example',
      path: '/x/*',
      sample: { data: [{ n: 1 }] },
      must: { data: [{ n: 9 }] },
    }
    expect(found(asking('GET', 'https://a.example/x/1'), [hint])).toMatchObject({
      outcome: 'guessed',
      answer: { body: { data: [{ n: 9 }] } },
    })
  })

  it.each([
    ['a file, by its ending', 'https://a.example/files/report.pdf', 'application/pdf'],
    ['a page', 'https://www.a.example/news', 'text/html; charset=utf-8'],
    ['a feed', 'https://a.example/feed', 'application/xml; charset=utf-8'],
  ])('as %s', (_, address, type) => {
    expect(found(asking('GET', address)).answer.headers).toMatchObject({ 'content-type': type })
  })

  it('as JSON with what was sent, after a POST', () => {
    expect(found(asking('POST', 'https://api.a.example/orders', { sku: 'x' })).answer.body).toMatchObject({
      sku: 'x',
      success: true,
    })
  })
})

it('each file of services can be read, and asks only for answers that there are', () => {
  const asked = serviceFiles().flatMap(({ routes }) => routes.flatMap(({ use }) => use ?? []))
  expect(asked.filter((name) => !(name in answers))).toEqual([])
  expect(serviceFiles().length).toBeGreaterThanOrEqual(30)
})
