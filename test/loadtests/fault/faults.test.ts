import { faultNames, parseFault } from '../../../loadtests/src/fault/faults.ts'

test('a fault lasts as long as its name says by default', () => {
  expect(parseFault('redis-frozen')).toEqual({ name: 'redis-frozen', seconds: 30 })
  expect(parseFault('redis-frozen=45s')).toEqual({ name: 'redis-frozen', seconds: 45 })
})

test('an upgrade leads to a release', () => {
  expect(parseFault('upgraded=2.41.1')).toEqual({ name: 'upgraded', seconds: 180, tag: '2.41.1' })
})

test.each(['redis-melted', 'redis-frozen=45', 'redis-frozen=2.41.1', 'upgraded', 'toString', ''])(
  '"%s" is no fault',
  (text) => {
    expect(parseFault(text)).toBeUndefined()
  },
)

test('a fault that is over at once takes no seconds', () => {
  expect(parseFault('worker-killed=5s')).toBeUndefined()
})

test('every fault can be asked for by its name', () => {
  const asked = faultNames.map((name) => (name === 'upgraded' ? 'upgraded=2.41.1' : name))
  expect(asked.map((name) => parseFault(name)?.name)).toEqual(faultNames)
})
