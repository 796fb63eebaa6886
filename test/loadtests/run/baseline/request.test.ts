import { findRequest } from '../../../../loadtests/src/run/baseline/request.ts'

test.each([
  ['hello', '/hello'],
  ['count-500000', '/count/500000'],
])('%s is a request to a bare server', (name, path) => {
  expect(findRequest(name)).toEqual({ method: 'GET', path })
})

test.each(['ping-webhook', 'count-', 'count-much', 'count-99999999999'])('%s is none', (name) => {
  expect(findRequest(name)).toBeNull()
})
