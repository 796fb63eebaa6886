import { doctorInWords, waysFrom, type DoctorFinding } from '../../../loadtests/src/cli/doctor.ts'
import { command, commandWith } from '../../support/command.ts'

const names = ['cores', 'limits', 'quiet', 'disk', 'ports', 'k6', 'helm', 'n8n', 'redis-server', 'postgresql']
const all: DoctorFinding[] = [...names, 'containers', 'cluster'].map((name) => ({
  name,
  state: 'ok',
  found: 'yes',
  fix: null,
}))
const where = (name: string, state: DoctorFinding['state']) =>
  all.map((finding) => (finding.name === name ? { ...finding, state, found: 'no', fix: 'Get it.' } : finding))
const possible = (findings: DoctorFinding[]) =>
  waysFrom(findings).flatMap(({ name, possible }) => (possible ? [name] : []))

test('it looks at everything, and finds that a check can run here', async () => {
  const { exit, out } = await command('doctor', '--json')
  const { findings, ways } = JSON.parse(out)
  expect(findings.map(({ name }: DoctorFinding) => name)).toEqual([...names, 'containers', 'cluster'])
  expect(ways).toContainEqual(expect.objectContaining({ name: 'n8n on this machine', possible: true, lacks: [] }))
  expect(exit).toBe(0)
}, 60_000)

test('a program that is not on PATH is missing, with the command that gets it', async () => {
  const { out } = await commandWith({ PATH: '/nowhere' }, 'doctor', '--json')
  expect(JSON.parse(out).findings).toContainEqual({
    name: 'cluster',
    state: 'missing',
    found: expect.stringContaining('kubectl'),
    fix: expect.stringContaining('https://'),
  })
}, 60_000)

test('without a cluster the other ways remain', () => {
  expect(possible(where('cluster', 'missing'))).toEqual([
    'an n8n that already runs',
    'n8n on this machine',
    'queue mode on this machine',
    'n8n in containers',
  ])
})

test('without Redis queue mode is not to be had on this machine', () => {
  expect(waysFrom(where('redis-server', 'missing'))[2]).toMatchObject({ possible: false, lacks: ['redis-server'] })
})

test('limits that are not enforced make no way impossible', () => {
  expect(possible(where('limits', 'short'))).toHaveLength(5)
})

test('on another platform n8n is measured where it runs', () => {
  expect(possible(where('limits', 'missing'))).toEqual(['an n8n that already runs', 'n8n on a cluster'])
})

test('a table says each finding with its fix, and each way with its command or what it needs', () => {
  const findings = where('k6', 'missing')
  const lines = doctorInWords(findings, waysFrom(findings)).split('\n')
  expect(lines).toContainEqual('✗ k6            no')
  expect(lines).toContainEqual('                Fix: Get it.')
  expect(lines).toContainEqual('✗ n8n on this machine         needs k6')
  expect(lines).toContainEqual('✓ n8n on a cluster            ./n8n-tuned check --target kubernetes')
})
