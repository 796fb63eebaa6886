import { injectIntoPostgresql, injectIntoRedis } from '../../../loadtests/src/fault/store-faults.ts'
import { injectFault } from '../../../loadtests/src/fault/measure-fault.ts'
import { exitCodes, LabError } from '../../../loadtests/src/lib/errors.ts'
import { faultNames, parseFault, type Fault } from '../../../loadtests/src/fault/faults.ts'
import type { Running } from '../../../loadtests/src/n8n/running.ts'
import { startDecoys, type Decoys } from '../../support/decoys.ts'
import { running } from '../fixtures/running.ts'

/** Each fault, beside a real PostgreSQL and a real Redis that somebody else runs: neither hears a word. */

let decoys: Decoys
beforeAll(async () => {
  decoys = await startDecoys()
}, 60_000)
afterAll(() => decoys.stop())

const faults = faultNames.map((name) => parseFault(name) ?? parseFault(`${name}=2.41.1`)!)

test('the decoys hear what is said to them', async () => {
  await (
    await injectIntoRedis('empty', 0, decoys.settings)
  )()
  await (
    await injectIntoPostgresql('cut', decoys.settings)
  )()
  const heard = (await decoys.heard()).join('\n')
  expect(heard).toContain('FLUSHALL')
  expect(heard).toContain('pg_terminate_backend')
  expect(await decoys.heard()).toEqual([])
})

test.each(faults.map((fault) => [fault.name, fault] as const))(
  '%s says nothing to them, though the settings of a running n8n lead there',
  async (_, fault) => {
    const error = await begun(fault)
    expect(error).toMatchObject({ code: 'store-of-others', exit: exitCodes.usage })
    expect(await decoys.heard()).toEqual([])
  },
)

/** Why the fault did not begin; null if it did. */
async function begun(fault: Fault): Promise<unknown> {
  const n8n = { settings: decoys.settings, stores: ['127.0.0.1:1', '127.0.0.1:2'], inject, upgrade: async () => {} }
  return injectFault(fault, n8n as unknown as Running).then(
    () => null,
    (error) => error,
  )
}
const inject = async () => async () => {}

test('a run on the values that name them is refused, or leaves them alone', async () => {
  const { error } = await running({
    variants: [{ name: 'production', values: decoys.values }],
    load: { shape: 'constant', rate: 20, duration: 1, timeout: 5 },
    faults,
    inject,
  })
  expect(error).toBeInstanceOf(LabError)
  expect(error).toMatchObject({ exit: exitCodes.usage })
  expect(await decoys.heard()).toEqual([])
})
