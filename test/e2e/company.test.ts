import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import { command } from '../support/command.ts'
import { filesHolding } from '../support/files-holding.ts'
import { company, credentialsOfCompany } from './fixtures/company.ts'

/** A company's ten workflows as one mix, by one command, on a real n8n. */

const folder = mkdtempSync(join(tmpdir(), 'n8n-tuned-e2e-'))
afterAll(() => rmSync(folder, { recursive: true }))
const isRoot = process.getuid?.() === 0
const secret = 's3cret-of-the-company'

const given = (name: string, content: object | string) => {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return join(folder, name)
}
const exported = given('company.json', company)
const photo = given('photo.png', 'pixels'.repeat(10_000))
const profile = given('company.yaml', {
  name: 'company',
  question: 'Does it sustain the whole company?',
  // Ten workflows on a machine that runs other tests: this is about their executions, not about memory.
  base: { main: { resources: { limits: { memory: '2Gi' } } } },
  workflows: [
    ...['orders', 'stock', 'sign-up', 'helpdesk', 'nightly'].map((id) => ({ workflow: `${exported}#${id}` })),
    { workflow: `${exported}#upload`, request: { form: { kind: 'photo' }, files: { photo } } },
    { workflow: `${exported}#tools`, request: { body: { arguments: { input: 'book' } }, expect: { text: '12' } } },
  ],
  load: { shape: 'mixed', rate: 4, duration: '30s' },
  slo: { p95: '20s', errors: '0.1%', backlog: '100%' },
  repeat: 1,
  outside: { rules: [{ host: 'api.example.com', path: '/stock/*', body: { left: 3 }, latency: '20ms' }] },
})

describe('the workflows of a company, as one mix', () => {
  let run: { exit: number; said: string }
  let result: Summary['results'][number]
  beforeAll(async () => {
    const credentials = given('credentials.json', credentialsOfCompany(secret))
    const { exit, out, err } = await command(
      ...['check', '--profile', profile, '--credentials', credentials, '--out', join(folder, 'run')],
    )
    run = { exit, said: out + err }
    const summary = JSON.parse(readFileSync(join(folder, 'run/summary.json'), 'utf8')) as Summary
    result = summary.results[0]!
  }, 600_000)

  const step = () => result.steps.find(({ purpose }) => purpose === 'measure')!

  it('are all sustained', () => {
    expect(result.verdict).toMatchObject({ holds: true, reasons: [] })
    expect(step().load.failures).toEqual({})
    expect(run.said).toContain('mixed-traffic')
    // Nothing is missed. Some 17 requests to each workflow are too few to call its objective met.
    expect(run.exit).toBe(4)
  })

  it('finish as many executions, by n8n’s database, as each accepted requests', () => {
    const { load, parts } = step()
    expect(load.parts!.map(({ workflow }) => workflow).sort()).toEqual(
      ['helpdesk', 'nightly', 'orders', 'sign-up', 'stock', 'tools', 'upload'].sort(),
    )
    expect(parts!.map(({ workflow, finished }) => [workflow, finished])).toEqual(
      load.parts!.map(({ workflow, accepted }) => [workflow, accepted]),
    )
    expect(Math.min(...parts!.map(({ finished }) => finished))).toBeGreaterThan(10)
  })

  it('say of the schedule that the lab calls a copy', () => {
    expect(run.said).toContain('nightly begins by "Every night" (scheduleTrigger)')
  })

  it('send nothing past the machine', () => {
    const { calls, left } = result.outside!
    // n8n asks its maker for templates.
    const others = calls.filter(({ host }) => !host.endsWith('n8n.io'))
    expect(others.map(({ host, outcome }) => [host, outcome])).toEqual([['api.example.com', 'answered']])
    expect(left).toEqual(isRoot ? [] : expect.any(Array))
  })

  it('leave no secret in what is kept or said', () => {
    expect(filesHolding(join(folder, 'run'), secret)).toEqual([])
    expect(run.said).not.toContain(secret)
  })
})
