import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { tool } from '../../loadtests/src/lib/paths.ts'
import { root } from '../support/command.ts'
import { temporaryFolder, write } from '../support/temporary.ts'

/** What the pages tell readers to install is rendered with the same flags: a value that is refused or unknown fails. */

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const texts = pages.map((page) => readFileSync(join(root, page), 'utf8').replaceAll(/\\\n */g, ''))
const commands = [
  ...new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/^ *(helm (?:install|upgrade|template) [^\n#>|]+)/gm)].map(([, command]) => command!.trim()),
    ),
  ),
].sort()

/** Flags that only a cluster knows. */
const ofCluster = /--(install|wait|create-namespace|reuse-values|reset-then-reuse-values|dry-run|timeout \S+)(?= |$)/g
const folder = temporaryFolder()

test('the pages install the chart', () => {
  expect(commands.length).toBeGreaterThan(5)
})

test.each(commands)('%s', async (command) => {
  const values = await write(folder, 'values.yaml', '{}')
  const [, , ...args] = command
    .replaceAll(ofCluster, '')
    .replaceAll(/--values \S+/g, `--values ${values}`)
    .split(/ +/)
    .filter(Boolean)
  const { stdout } = await execa(tool('helm'), ['template', ...args], { cwd: root })
  expect(stdout).toContain('kind: Deployment')
})
