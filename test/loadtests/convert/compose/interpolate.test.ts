import { interpolate } from '../../../../loadtests/src/convert/compose/interpolate.ts'

const filled = (value: unknown, given: NodeJS.Dict<string> = { A: '1', EMPTY: '' }) => {
  const missing: string[] = []
  return { value: interpolate(value, given, (name) => missing.push(name)), missing }
}

test.each([
  ['${A}', '1'],
  ['$A-${A}', '1-1'],
  ['${B:-two}', 'two'],
  ['${EMPTY:-two}', 'two'],
  ['${EMPTY-two}', ''],
  ['${B:-n8n.${A}.net}', 'n8n.1.net'],
  ['${B:-${C:-two}}-three', 'two-three'],
  ['${A:+set}${B:+unset}', 'set'],
  ['${EMPTY}', ''],
  ['$$A', '$A'],
])('%s is %s', (text, expected) => {
  expect(filled({ deep: [text] })).toEqual({ value: { deep: [expected] }, missing: [] })
})

test('a variable without a value is collected', () => {
  expect(filled({ image: 'n8n:${B}', more: '${C?why} ${toString}' }).missing).toEqual(['B', 'C', 'toString'])
})

test('a name alone passes its variable on', () => {
  expect(filled({ environment: ['A', 'B=2'] }).value).toEqual({ environment: ['A=1', 'B=2'] })
  expect(filled({ environment: { A: null, B: 2 } }).value).toEqual({ environment: { A: '1', B: 2 } })
})
