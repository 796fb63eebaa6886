import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../../support/command.ts'
import { inProcess } from '../../support/in-process.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const folder = temporaryFolder()
const queue = ['--set', 'executions.mode=queue', '--set', 'database.type=embedded']

test('the rules, the dashboard and what to scrape are files that Prometheus and Grafana take', async () => {
  const out = join(folder, 'alerts')
  const said = await inProcess('alerts', ...queue, '--out', out)
  expect(said).toMatchObject({ exit: 0, err: '' })
  const rules = spawnSync(join(root, 'tools/bin/promtool'), ['check', 'rules', join(out, 'rules.yaml')], {
    encoding: 'utf8',
  })
  expect(rules.stderr + rules.stdout).toContain('SUCCESS')
  expect(JSON.parse(await readFile(join(out, 'dashboard.json'), 'utf8'))).toHaveProperty('panels')
  const [job] = parse(await readFile(join(out, 'scrape.yaml'), 'utf8')) as [{ static_configs: { labels: object }[] }]
  expect(job.static_configs.map(({ labels }) => labels)).toEqual(
    ['main', 'worker', 'webhook'].map((role) => ({ namespace: 'default', release: 'n8n-tuned', role })),
  )
})

test('alerts that rest on metrics of a cluster are left out, and named', async () => {
  const out = join(folder, 'left')
  const { out: said } = await inProcess('alerts', ...queue, '--out', out)
  expect(said).toContain('Left out, since they need a cluster: N8nOutOfMemory')
  expect(await readFile(join(out, 'rules.yaml'), 'utf8')).not.toMatch(/kube_|kubelet_/)
})

test('it says which variables n8n needs', async () => {
  const out = join(folder, 'variables')
  await inProcess('alerts', '--out', out)
  expect(await readFile(join(out, 'scrape.yaml'), 'utf8')).toContain('# N8N_METRICS=true\n')
})

test('a folder that cannot be written is refused with its name', async () => {
  expect(await inProcess('alerts', '--out', '/proc/x')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('Expected --out to name a folder to write to, got /proc/x'),
  })
})
