import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { paths, tool } from '../../loadtests/src/lib/paths.ts'

const readme = readFileSync(join(paths.chart, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/```yaml\n(.*?)```/gs)].map(([, block]) => block!)

test('the values that its page gives for production are taken by the chart', () => {
  expect(blocks).toHaveLength(1)
  const { status, stderr, stdout } = spawnSync(tool('helm'), ['template', 'n8n-tuned', paths.chart, '--values', '-'], {
    input: blocks[0]!,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const role of ['main', 'worker', 'webhook'])
    expect(stdout).toMatch(new RegExp(`^  name: "n8n-tuned-${role}"$`, 'm'))
})
