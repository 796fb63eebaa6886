// The packed node package holds what n8n loads and nothing else, and what npm's provenance needs.
// usage: package.mjs FOLDER
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2]
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

const problems = []
const expect = (right, what, got) => right || problems.push(`Expected ${what}, got ${JSON.stringify(got)}.`)

const foreign = files.filter(
  (file) =>
    !/^(package\.json|README\.md|LICENSE|dist\/(nodes|credentials)\/.+\.(js|json|svg|d\.ts|js\.map))$/.test(file),
)
expect(foreign.length === 0, 'dist, README.md, LICENSE and package.json alone', foreign)
expect(files.includes('LICENSE') && files.includes('README.md'), 'LICENSE and README.md', files.slice(0, 5))
const { nodes, credentials } = manifest.n8n
const missing = [...nodes, ...credentials].filter((file) => !existsSync(join(folder, file)))
expect(nodes.length > 0 && missing.length === 0, 'every node and credential of package.json in the package', missing)
expect(
  manifest.keywords.includes('n8n-community-node-package'),
  'the keyword n8n-community-node-package',
  manifest.keywords,
)
expect(!manifest.dependencies, 'no dependencies', manifest.dependencies)
expect(!manifest.scripts?.install && !manifest.scripts?.postinstall, 'no install scripts', manifest.scripts)
// npm refuses provenance if the repository differs from the workflow's.
expect(
  manifest.repository?.url === 'git+https://github.com/n8n-tuned/n8n-tuned.git',
  'the repository of the workflow',
  manifest.repository,
)
expect(
  manifest.publishConfig?.access === 'public' && manifest.publishConfig.provenance === true,
  'public access with provenance',
  manifest.publishConfig,
)
expect(manifest.license === 'MIT', 'the licence', manifest.license)

for (const problem of problems) console.error(`n8n-nodes-tuned: ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0
