import { nameValue } from '../../../loadtests/src/lib/name-value.ts'

test.each([
  ['p95=500ms', 'p95', '500ms'],
  ['main.extraEnv.FLAGS=a=b', 'main.extraEnv.FLAGS', 'a=b'],
  ['EMPTY=', 'EMPTY', ''],
  ['=alone', '', 'alone'],
  ['NAME', 'NAME', undefined],
])('%s is the name %j with the value %j', (text, name, value) => {
  expect(nameValue(text)).toEqual([name, value])
})
