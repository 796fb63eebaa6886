import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { filesHolding } from '../../support/files-holding.ts'
import { root } from '../../support/command.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** No registry is at hand here, so the steps of the Dockerfile fill a root folder, on this machine's Node. */

const folder = temporaryFolder()
const image = join(folder, 'image')
const lines = readFileSync(join(root, 'tools/image/Dockerfile'), 'utf8').split('\n')
const of = (instruction: string) =>
  lines.flatMap((line) => (line.startsWith(`${instruction} `) ? line.slice(instruction.length + 1) : []))

beforeAll(() => {
  const [setup, assemble] = of('RUN')
  // Whoever runs tests has made it.
  expect(setup).toBe('make setup')
  const step = assemble!.replace(' /image', ` ${image}`)
  execFileSync('bash', ['-euc', step], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}, 300_000)

/** What the container has on PATH: Node of its base, and what was put into the root. */
const run = (words: string[]) =>
  execa((JSON.parse(of('ENTRYPOINT')[0]!) as string[])[0]!, words, {
    cwd: folder,
    env: {
      // A user without a home, as in a container.
      HOME: join(folder, 'nowhere/home'),
      PATH: [join(image, 'usr/local/bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    },
    extendEnv: false,
    reject: false,
  })

test('every base is pinned by its digest, and the user is not root', () => {
  const stages = of('FROM').map((from) => from.split(' AS ')[1])
  for (const from of of('FROM')) {
    const [base] = from.split(' AS ') as [string]
    expect(stages.includes(base) || /:[^@]+@sha256:[0-9a-f]{64}$/.test(base)).toBe(true)
  }
  expect(of('COPY').at(-1)).toBe('--from=build /image/ /')
  expect(of('USER')).toEqual(['65532:65532'])
  // Any user may keep runs there.
  expect(statSync(join(image, 'runs')).mode & 0o7777).toBe(0o1777)
})

test('the lab says its version, and finds all that it needs to check an n8n that runs', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'loadtests/package.json'), 'utf8')) as { version: string }
  expect(await run(['--version'])).toMatchObject({ exitCode: 0, stdout: version, stderr: '' })
  const { exitCode, stdout, stderr } = await run(['doctor'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toContain(`✓ k6            ${join(image, 'usr/local/bin/k6')}`)
  expect(stdout).toContain(`✓ helm          ${join(image, 'usr/local/bin/helm')}`)
  expect(stdout).toMatch(/^✓ an n8n that already runs /m)
})

test('it renders the chart that it holds', async () => {
  const { exitCode, stdout, stderr } = await run(['ecosystem', '--set', 'main.resources.limits.memory=1Gi'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toContain('module.exports')
})

test('it uses nothing of the clone, and holds no n8n', () => {
  expect(filesHolding(join(image, 'opt'), root)).toEqual([])
  for (const name of ['n8n', 'n8n-core', 'n8n-workflow', 'typescript', 'jest'])
    expect(existsSync(join(image, 'opt/n8n-tuned/node_modules', name))).toBe(false)
})

test('the licences of all parts are listed, and their texts are there', () => {
  const list = readFileSync(join(image, 'licenses/README.md'), 'utf8')
  const version = /^\| go\.k6\.io\/k6 \| (v\S+) \| AGPL-3\.0 \| \/licenses\/go\.k6\.io\/k6 \|$/m.exec(list)![1]!
  expect(list).toContain(`https://github.com/grafana/k6/tree/${version}`)
  expect(readFileSync(join(image, 'licenses/go.k6.io/k6/LICENSE.md'), 'utf8')).toContain('GNU AFFERO GENERAL PUBLIC')
  expect(list).toMatch(/^\| helm\.sh\/helm\/v3 \| v\S+ \| Apache-2\.0 \| /m)
  expect(list).toMatch(/^\| execa \| \S+ \| MIT \| /m)
  for (const [, texts] of list.matchAll(/\| (\/licenses\/\S+) \|$/gm))
    expect(existsSync(join(image, texts!))).toBe(true)
})
