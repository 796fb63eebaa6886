import { refusalOf } from '../../support/refusal.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import { loadOutside, mockHost, mockPort, withMockAddress } from '../../../loadtests/src/model/outside.ts'
import { parseProfile } from '../../../loadtests/src/model/profile.ts'

const folder = temporaryFolder()
const load = async (text: string) => loadOutside(await write(folder, 'rules.yaml', text))

test('rules have every default filled in', async () => {
  expect(await load('rules: [{ host: api.example.com }]')).toEqual({
    rules: [{ host: 'api.example.com', path: '*', headers: {}, latency: { p50: 0, p95: 0 } }],
    allow: [],
  })
})

test('a latency is a duration, or two of its percentiles', async () => {
  const { rules } = await load('rules: [{ host: a, latency: 80ms }, { host: b, latency: { p50: 80ms, p95: 1s } }]')
  expect(rules.map(({ latency }) => latency)).toEqual([
    { p50: 80, p95: 80 },
    { p50: 80, p95: 1000 },
  ])
})

test.each([
  ['rules:\n  - { host: a, paths: /x }', 'rules.yaml:2', 'without the key "paths"'],
  ['rules:\n  - host: a\n    latency: 80', 'rules.yaml:3', 'a duration such as 80ms or 2s, or its p50 and p95, got 80'],
  ['rules:\n  - { host: a, latency: { p50: 2s, p95: 1s } }', 'rules.yaml:2', 'a duration of p50 or longer'],
  ['rules:\n  - { host: a, path: v1 }', 'rules.yaml:2', 'a path such as /v1/*, got "v1"'],
  ['allow: [db.example.com]', 'rules.yaml:1', 'a host with its port'],
  ['- host: a', 'rules.yaml:1', 'Expected a map'],
])('%j is refused at its line', async (text, place, expected) => {
  const { message, hint } = (await refusalOf(() => load(text)))!
  expect(message).toContain(place)
  expect(message).toContain(expected)
  expect(hint).not.toMatch(/undefined/)
})

test('a profile says the same under outside, and it is not in what is recorded', () => {
  const text =
    'name: mine\nquestion: What?\nworkflows: [a.json]\nload: { shape: search }\noutside: { rules: [{ host: '
    + 'a, body: s3cret }] }'
  const { outside, experiment } = parseProfile(text, 'mine.yaml')
  expect(outside?.rules).toMatchObject([{ host: 'a', body: 's3cret' }])
  expect(JSON.stringify(experiment)).not.toContain('s3cret')
})

test('what a made credential leads to is where the mock is; a given one stays as it is', () => {
  const made = { host: mockHost, port: mockPort('smtp'), url: `http://${mockHost}:${mockPort('qdrant')}` }
  const given = { host: '127.0.0.1', port: 25 }
  const address = { host: 'mock.lab', ports: { smtp: 2525, qdrant: 6333 } }
  expect(withMockAddress([made, given], address)).toEqual([
    { host: 'mock.lab', port: 2525, url: 'http://mock.lab:6333' },
    given,
  ])
})
