import { patternOf } from '../../../../loadtests/src/workload/outside/pattern.ts'

test.each([
  ['/v1/orders/7', '/v1/orders/*'],
  ['/api/chat.postMessage', '/api/chat.postMessage'],
  ['/users/4f1c0a52-0000-4000-8000-1234567890ab/photo.png', '/users/*/photo.png'],
  ['/services/T0AB12CD3/B0AB12CD3/XyZ0AbC1dEf2GhI3', '/services/*/*/*'],
  ['/bot123456:AAbbCCdd/sendMessage', '/*/sendMessage'],
  ['/', '/'],
  ['/a/b//c', '/a/b//c'],
])('%s is of the kind %s', (path, pattern) => {
  expect(patternOf(path)).toBe(pattern)
})
