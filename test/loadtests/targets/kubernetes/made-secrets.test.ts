import { madeSecrets } from '../../../../loadtests/src/targets/kubernetes/install.ts'

test('a secret is made up where the chart would generate it, and not where the user gave one', () => {
  const given = { encryptionKey: { value: 'mine' }, redis: { password: { existingSecret: { name: 'redis' } } } }
  expect(madeSecrets(given, () => 'made')).toEqual({
    database: { password: { value: 'made' } },
    runner: { token: { value: 'made' } },
  })
})
