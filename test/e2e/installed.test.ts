import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import { root } from '../support/command.ts'
import { startN8n, type N8n } from '../support/n8n.ts'
import { runtime } from '../support/runtime.ts'
import { filesHolding } from '../support/files-holding.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** The lab as a user has it without the repository: packed, installed with npm, with k6 and Helm on PATH. */

const folder = temporaryFolder()
const programs = join(folder, 'programs')
const home = join(folder, 'home')
const here = join(folder, 'here')
let n8n: N8n

beforeAll(async () => {
  for (const made of [programs, home, here]) mkdirSync(made)
  for (const name of ['k6', 'helm']) symlinkSync(join(root, 'tools/bin', name), join(programs, name))
  symlinkSync(runtime('2.41.1').node, join(programs, 'node'))
  execFileSync(join(root, 'tools/pack-lab'), [folder])
  const { version } = JSON.parse(readFileSync(join(root, 'loadtests/package.json'), 'utf8'))
  execFileSync(
    'npm',
    [
      'install',
      '-g',
      '--prefix',
      home,
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      join(folder, `n8n-tuned-${version}.tgz`),
    ],
    { cwd: here },
  )
  // A file of the user's own, as n8n exports it.
  cpSync(join(root, 'workflows/ping-webhook.json'), join(here, 'exported.json'))
  n8n = await startN8n('2.41.1', [join(root, 'workflows/ping-webhook.json')])
}, 600_000)
afterAll(() => n8n?.stop())

const lab = (words: string[], path = [programs, '/usr/bin', '/bin']) =>
  execa(join(home, 'bin/n8n-tuned'), words, {
    cwd: here,
    env: { HOME: home, PATH: path.join(':') },
    extendEnv: false,
    reject: false,
  })

test('checks an n8n that runs, from any folder, and leaves the report there', async () => {
  const { exitCode, stderr } = await lab([
    ...['check', '--target', n8n.url, '--workflow', 'exported.json', '--yes'],
    ...['--rate', '5', '--quick', '--repeat', '1'],
    ...['--slo', 'p95=20s,errors=1%,backlog=100%', '--out', 'results/first'],
  ])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  const summary = JSON.parse(readFileSync(join(here, 'results/first/summary.json'), 'utf8')) as Summary
  expect(summary.results[0]!.workflow).toBe('exported')
  expect(existsSync(join(here, 'results/first/report.html'))).toBe(true)
}, 300_000)

test('nothing that it wrote names the clone, and its commands are those of the package', async () => {
  expect(filesHolding(join(here, 'results'), root)).toEqual([])
  const report = readFileSync(join(here, 'results/first/report.md'), 'utf8')
  expect(report).toMatch(/^n8n-tuned check --target/m)
  expect(report).not.toContain('./n8n-tuned')
})

test('its chart, profiles and workflows are those of the package', async () => {
  const { stdout, stderr } = await lab(['list', '--json'])
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({ profiles: { quick: expect.any(String) } })
  const rendered = await lab(['ecosystem', '--set', 'main.resources.limits.memory=1Gi'])
  expect(rendered).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('module.exports') })
})

test('doctor says what can be measured, and how to get what is missing', async () => {
  const found = await lab(['doctor'])
  expect(found).toMatchObject({ exitCode: 0, stderr: '' })
  expect(found.stdout).toMatch(/^✓ an n8n that already runs +n8n-tuned check --target/m)
  const without = await lab(['doctor'], [dirname(runtime('2.41.1').node), '/usr/bin', '/bin'])
  expect(without.exitCode).toBe(2)
  expect(without.stdout).toMatch(/^✗ k6 +Expected k6 1 or later on PATH, found none\.\n +Fix: .*releases/m)
  expect(without.stdout).toMatch(/^✗ an n8n that already runs +needs k6, helm$/m)
}, 300_000)

test('without k6 on PATH one message says how to get it, before anything starts', async () => {
  const { exitCode, stderr } = await lab(
    ['check', '--target', n8n.url, '--workflow', 'exported.json', '--yes', '--rate', '3', '--out', 'results/second'],
    [dirname(runtime('2.41.1').node), '/usr/bin', '/bin'],
  )
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(
    /^Expected k6 1 or later on PATH, found none\.\nFix: .*https:\/\/github\.com\/grafana\/k6\/releases/m,
  )
  expect(existsSync(join(here, 'results/second'))).toBe(false)
}, 300_000)

test('a k6 that is too old is named', async () => {
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'k6'), '#!/bin/sh\necho k6 v0.57.0\n', { mode: 0o755 })
  const { exitCode, stderr } = await lab(
    ['check', '--target', n8n.url, '--workflow', 'exported.json', '--yes', '--rate', '3'],
    [other, dirname(runtime('2.41.1').node), '/usr/bin', '/bin'],
  )
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`found ${join(other, 'k6')} (k6 v0.57.0)`)
}, 300_000)
