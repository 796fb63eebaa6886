import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../../support/command.ts'
import { inProcess } from '../../support/in-process.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

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

test('files of somebody else are not written over, and nothing is written beside them', async () => {
  const out = join(folder, 'theirs')
  await write(out, 'rules.yaml', 'groups: []\n')
  expect(await inProcess('alerts', '--out', out)).toMatchObject({ exit: 2, err: expect.stringContaining('rules.yaml') })
  expect(await readdir(out)).toEqual(['rules.yaml'])
})

test('written again, they take the place of those before', async () => {
  const out = join(folder, 'again')
  await inProcess('alerts', '--out', out)
  expect(await inProcess('alerts', ...queue, '--out', out)).toMatchObject({ exit: 0, err: '' })
  expect(await readFile(join(out, 'scrape.yaml'), 'utf8')).toContain('role: worker')
})

test('the dashboard is the chart’s, whatever else the values put into the cluster', async () => {
  const out = join(folder, 'objects')
  const mine = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { 'a.json': '{}' } }
  const values = await write(folder, 'objects.json', JSON.stringify({ extraObjects: [mine] }))
  expect(await inProcess('alerts', '--values', values, '--out', out)).toMatchObject({ exit: 0 })
  expect(JSON.parse(await readFile(join(out, 'dashboard.json'), 'utf8'))).toMatchObject({ uid: 'n8n-tuned' })
})
