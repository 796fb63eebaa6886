import { ruleBook } from '../../../../loadtests/src/workload/outside/rules.ts'
import { Outside } from '../../../../loadtests/src/model/outside.ts'

const book = (...rules: object[]) => ruleBook(Outside.parse({ rules }).rules)
const asked = { method: 'GET', host: 'api.example.com', path: '/v1/orders/7' }

test('the first rule that fits answers', () => {
  const find = book({ host: 'other.example.com' }, { host: 'api.example.com', status: 201 }, { host: '*', status: 404 })
  expect(find(asked)?.status).toBe(201)
  expect(find({ ...asked, host: 'third.example.com' })?.status).toBe(404)
})

test('a host is one whatever its letters, and has its port where that is not the usual one', () => {
  const find = book({ host: 'API.example.com' }, { host: 'mock:8080' })
  expect(find(asked)).toBeDefined()
  expect(find({ ...asked, host: 'mock:8080' })).toBeDefined()
  expect(find({ ...asked, host: 'mock' })).toBeUndefined()
})

test('a star stands for any text, and for nothing else in the pattern', () => {
  const find = book({ host: '*.example.com', path: '/v1/*' })
  expect(find(asked)).toBeDefined()
  expect(find({ ...asked, path: '/v2/orders' })).toBeUndefined()
  expect(find({ ...asked, host: 'apiXexampleYcom' })).toBeUndefined()
})

test('a method narrows it', () => {
  const find = book({ host: '*', method: 'post' })
  expect(find(asked)).toBeUndefined()
  expect(find({ ...asked, method: 'POST' })).toBeDefined()
})
