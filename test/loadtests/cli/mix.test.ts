import { asMix } from '../../../loadtests/src/cli/load.ts'
import { createProgram } from '../../../loadtests/src/program.ts'
import { refusalOf } from '../../support/refusal.ts'
import { search } from '../fixtures/records.ts'

const constant = { shape: 'constant', rate: 5, duration: 60, timeout: 30 } as const

test('a search and a steady load become those of a mix', () => {
  expect(asMix(search as never, true)).toMatchObject({ shape: 'search', weights: {} })
  expect(asMix(constant, { orders: 3 })).toEqual({ ...constant, shape: 'mixed', weights: { orders: 3 } })
})

test('weights of the command go before those of the profile', () => {
  const load = { ...constant, shape: 'mixed', weights: { orders: 1, refunds: 1 } } as const
  expect(asMix(load, { orders: 3 })).toMatchObject({ weights: { orders: 3, refunds: 1 } })
})

test('without it each workflow is loaded on its own', () => {
  expect(asMix(constant, undefined)).toBe(constant)
})

test('a load whose rate changes has no mix', async () => {
  const ramp = { shape: 'ramp', from: 1, to: 9, duration: 60, timeout: 30 } as const
  expect((await refusalOf(async () => asMix(ramp, true))).code).toBe('unmixable')
})

async function parsed(...words: string[]): Promise<unknown> {
  const program = await createProgram(() => undefined)
  const check = program.commands.find((command) => command.name() === 'check')!.exitOverride()
  check.configureOutput({ writeErr: () => undefined }).action(() => undefined)
  await program.exitOverride().parseAsync(['check', ...words], { from: 'user' })
  return check.opts().mix
}

test('weights are given by name', async () => {
  expect(await parsed('--mix')).toBe(true)
  expect(await parsed('--mix', 'orders=3,nightly=0.1')).toEqual({ orders: 3, nightly: 0.1 })
  await expect(parsed('--mix', 'orders')).rejects.toThrow('Expected weights such as orders=3,nightly=0.1')
})
