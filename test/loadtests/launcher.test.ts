import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** `./n8n-tuned`: the lab of this checkout, without asking a registry for a program of that name. */

const folder = temporaryFolder()
const run = (program: string, ...words: string[]) =>
  spawnSync(program, words, { cwd: folder, encoding: 'utf8', env: { PATH: '/usr/bin:/bin', HOME: folder } })

test('it runs the lab from any folder, and on the project’s own Node', () => {
  const { status, stdout } = run(join(root, 'n8n-tuned'), '--version')
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
})

test('through a link, it finds the checkout', () => {
  symlinkSync(join(root, 'n8n-tuned'), join(folder, 'lab'))
  expect(run(join(folder, 'lab'), '--version').status).toBe(0)
})

test('it ends as the lab ends', () => {
  const { status, stderr } = run(join(root, 'n8n-tuned'), 'check', '--rate', 'many')
  expect(status).toBe(2)
  expect(stderr).toContain('--rate')
})

test('in a clone that is not set up, doctor says at once whether it can be, and installs nothing', () => {
  const clone = join(folder, 'clone')
  mkdirSync(join(clone, 'tools'), { recursive: true })
  for (const file of ['n8n-tuned', 'tools/install', 'tools/preflight', 'tools/releases', 'tools/go.mod'])
    cpSync(join(root, file), join(clone, file))
  const { status, stdout } = run(join(clone, 'n8n-tuned'), 'doctor')
  expect({ status, stdout }).toMatchObject({ status: 0 })
  expect(stdout).toMatch(/^✓ k6 {5}(on PATH|its release|installed)/m)
  expect(stdout).toContain('Next: make setup')
  expect(readdirSync(clone).sort()).toEqual(['n8n-tuned', 'tools'])
})
