import { noting, openOutages, type Outage } from '../../../loadtests/src/lib/outages.ts'

/** A store that refuses as often as it is told to, and then answers. */
function refusing(times: number) {
  let left = times
  return {
    look: async () => {
      if (left-- > 0) throw Object.assign(new Error(''), { code: 'ECONNREFUSED' })
      return 7
    },
    close: async () => {},
  }
}

function asked(times: number) {
  const told: Outage[] = []
  const outages = openOutages('n8n’s database', (outage) => told.push(outage))
  return { told, outages, store: noting(refusing(times), outages) }
}

test('a store that always answers has no outage', async () => {
  const { told, outages, store } = asked(0)
  expect(await store.look()).toBe(7)
  outages.close()
  expect(told).toEqual([])
})

test('one that did not answer for a while is told of once, when it answers again', async () => {
  const { told, outages, store } = asked(2)
  for (let look = 0; look < 2; look++)
    await expect(store.look()).rejects.toMatchObject({ code: 'store-silent', exit: 4 })
  expect(told).toEqual([])
  await store.look()
  await store.look()
  outages.close()
  expect(told).toEqual([{ who: 'n8n’s database', milliseconds: expect.any(Number), reason: 'ECONNREFUSED' }])
})

test('one that stays away is told of at the end', async () => {
  const { told, outages, store } = asked(Infinity)
  await expect(store.look()).rejects.toThrow('ECONNREFUSED')
  outages.close()
  expect(told).toHaveLength(1)
})
