import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { root } from '../../support/command.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** What `make release-check` refuses to release. */

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const node = (script: string, argument: string) =>
  execa(process.execPath, [join(root, 'tools/release', script), argument], { cwd: root, reject: false })

const folders = temporaryFolder()
let count = 0

/** A packed package as it has to be, but for what a test changes. */
async function packed(change: object = {}, ...more: string[]): Promise<string> {
  const folder = join(folders, String(count++))
  const files = ['LICENSE', 'README.md', ...manifest.n8n.nodes, ...manifest.n8n.credentials, ...more]
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), '')
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...change }))
  return folder
}

test('has one version everywhere', async () => {
  expect(await node('versions.mjs', manifest.version)).toMatchObject({ exitCode: 0, stderr: '' })
})

test('refuses a tag that no file has the version of', async () => {
  const { exitCode, stderr } = await node('versions.mjs', '9.9.9')
  expect(exitCode).toBe(1)
  expect(stderr).toContain(`charts/n8n-tuned/Chart.yaml: Expected version 9.9.9, got ${manifest.version}.`)
  expect(stderr).toContain('CHANGELOG.md')
})

test('takes the package as it is', async () => {
  expect(await node('package.mjs', await packed())).toMatchObject({ exitCode: 0, stderr: '' })
})

test.each([
  ['a file that n8n does not load', {}, ['src/secret.ts'], 'dist, README.md, LICENSE and package.json alone'],
  ['a dependency', { dependencies: { left: '1.0.0' } }, [], 'no dependencies'],
  [
    'another repository',
    { repository: { url: 'git+https://github.com/other/other.git' } },
    [],
    'the repository of the workflow',
  ],
  ['no provenance', { publishConfig: { access: 'public' } }, [], 'public access with provenance'],
  ['a node that is missing', { n8n: { nodes: ['dist/nodes/Gone/Gone.node.js'], credentials: [] } }, [], 'every node'],
])('refuses %s', async (_, change, more, said) => {
  const { exitCode, stderr } = await node('package.mjs', await packed(change, ...more))
  expect(exitCode).toBe(1)
  expect(stderr).toContain(`Expected ${said}`)
})
