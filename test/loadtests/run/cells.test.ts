import { planOf, refuseAsGiven } from '../../../loadtests/src/run/cells.ts'

test('values of production are asked about as they were given, although a run has others', async () => {
  const external = { database: { type: 'external', host: 'db.example.com' }, encryptionKey: { generate: true } }
  await expect(planOf(external)).resolves.toMatchObject({ setAside: expect.any(Array) })
  await expect(refuseAsGiven(external)).rejects.toThrow('database.password: Expected the password of your PostgreSQL')
})
