import { withoutSecretArguments } from '../../../loadtests/src/secret/arguments.ts'

test.each([
  [['--set', 'database.password.value=p=q'], 'database.password.value=REDACTED'],
  [['--set=encryptionKey.value=k'], '--set=encryptionKey.value=REDACTED'],
  [
    ['--set', 'database={password: {value: hunter2}, user: n8n}'],
    'database={"password":{"value":"REDACTED"},"user":"n8n"}',
  ],
  [['--set', 'main.extraEnv.COMPANY_PASS=hunter2'], 'main.extraEnv.COMPANY_PASS=REDACTED'],
  [['--set', 'main.extraEnv.NOBODY_KNOWS=it'], 'main.extraEnv.NOBODY_KNOWS=REDACTED'],
  [['--set', 'main.extraEnv.N8N_LOG_LEVEL=debug'], 'main.extraEnv.N8N_LOG_LEVEL=debug'],
  [['--set', 'main.resources.limits.cpu=2'], 'main.resources.limits.cpu=2'],
  [['--set', 'a: [unclosed=hunter2'], 'a: [unclosed=REDACTED'],
  [['--set', 'hunter2'], 'REDACTED'],
  [['--target', 'https://n8n.example.com/base?key=abc&page=2'], 'https://n8n.example.com/base?key=REDACTED&page=2'],
  [['--target', 'https://me:hunter2@n8n.example.com/'], 'https://REDACTED@n8n.example.com/'],
  [['--api-key=hunter2'], '--api-key=REDACTED'],
  [['--slo', 'p95=500ms'], 'p95=500ms'],
  [['--values', 'queue.yaml'], 'queue.yaml'],
])('of %j the last is written down as %s', (given, kept) => {
  expect(withoutSecretArguments(given).at(-1)).toBe(kept)
})
