import { read } from '../../../tools/prose/read.ts'

const lines = (file: string, content: string): string[] =>
  read(file, content).map(({ line, text }) => `${line} ${text}`)

describe('TypeScript and JavaScript', () => {
  test('each comment, on its line', () => {
    const source =
      '/**\n * First.\n *\n * Second.\n */\nconst a = 1 // third\n// Fourth\n// goes on.\n' + 'f(/* fifth */ a)\n'
    expect(lines('a.ts', source)).toEqual(['2 First.', '4 Second.', '6 third', '7 Fourth\ngoes on.', '9 fifth'])
  })

  test('literals that are sentences, also when they are put together, and no others', () => {
    const source = [
      "const key = 'execution-mode'",
      "const label = 'Two words.'",
      'const sql = `SELECT id FROM executions WHERE id = ${id}`',
      "throw new Error(`Expected ${what} in the folder, ` + 'got none of them.')",
    ].join('\n')
    expect(lines('a.ts', source)).toEqual(['4 Expected Code in the folder, got none of them.'])
  })

  test('a literal within a literal', () => {
    const source = "say(`It is ${ready ? 'Ready after a few long seconds.' : ''}`)"
    expect(lines('a.ts', source)).toEqual(['1 Ready after a few long seconds.'])
  })

  test('neither notes to tools nor how to call a script', () => {
    expect(lines('a.ts', '// eslint-disable-next-line\nf()\n/**\n * Does it.\n * usage: a.ts FILE\n */\n')).toEqual([
      '4 Does it.',
    ])
  })

  test('of tests no messages, since those quote the product’s', () => {
    expect(lines('test/a.ts', "// Why.\nexpect(it).toBe('One two three four five.')")).toEqual(['1 Why.'])
  })
})

describe('scripts', () => {
  test('comments, but no tables and no usage', () => {
    const script =
      '#!/bin/bash\n# Does it.\n#   a   table\n# usage: it FILE\n# and more\n\nx=1 # why\necho "# no comment"\n'
    expect(lines('tools/it', script)).toEqual(['2 Does it.', '7 why'])
  })

  test('nothing of data', () => {
    expect(read('a.json', '{}')).toEqual([])
  })
})

describe('templates of the chart', () => {
  test('comments, refusals and notes', () => {
    const template = [
      '{{/* Why it is',
      '  there. */}}',
      '{{- if .Values.a }}',
      'a.{{ .name }}: Expected a host name, got {{ .b }}. Set it.',
      '- The key is in the Secret {{ .c }}.',
      'b: Expected a port,',
      '  got {{ .d }}: it would',
      '  not start. Set it.',
      '- The volume goes with the pod.',
      'kind: Deployment',
      '{{- end }}',
    ].join('\n')
    expect(lines('charts/x/templates/_a.tpl', template)).toEqual([
      '1 Why it is\nthere.',
      '4 Expected a host name, got Code. Set it.',
      '5 The key is in the Secret Code.',
      '6 Expected a port, got Code: it would not start. Set it.',
      '9 The volume goes with the pod.',
    ])
  })
})
