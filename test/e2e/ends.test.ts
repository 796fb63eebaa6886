import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { exitCodes } from '../../loadtests/src/lib/errors.ts'
import { fileOf, leftOf, nothingLeft, pidsOf, says, startLab, type Lab } from '../support/running-lab.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { readRecords } from '../../loadtests/src/run/record-file.ts'

/** A real n8n on PostgreSQL, whose database goes away for five seconds while it is measured. */

const folder = temporaryFolder()
// Where root runs the lab, PostgreSQL is another user's and has to reach its own folder in there.
chmodSync(folder, 0o711)

const startCheck = (name: string, out: string): Lab =>
  startLab(join(folder, name), [
    ...[
      'check',
      '--workflow',
      'ping-webhook',
      '--rate',
      '3',
      '--quick',
      '--repeat',
      '1',
      '--slo',
      'p95=20s,errors=50%',
    ],
    ...['--set', 'database.type=embedded', '--out', out],
  ])

const postgresqlOf = ({ mark }: Lab) => pidsOf(mark).filter((pid) => fileOf(pid, 'comm').startsWith('postgres'))

const warningsIn = async (out: string) =>
  (await readRecords(out)).flatMap((record) => (record.type === 'warning' ? [record.warning] : []))

test('a database that hangs for five seconds is waited for, and every request is accounted for', async () => {
  const out = join(folder, 'frozen-run')
  const lab = startCheck('frozen', out)
  await says(lab, 'ping-webhook on check: 3/s')
  const frozen = postgresqlOf(lab)
  expect(frozen.length).toBeGreaterThan(0)
  for (const pid of frozen) process.kill(pid, 'SIGSTOP')
  await wait(5000)
  for (const pid of frozen) process.kill(pid, 'SIGCONT')
  const { exit, err } = await lab.ended
  expect(err).not.toMatch(/^\s+at /m)
  expect([exitCodes.met, exitCodes.missed]).toContain(exit)
  const steps = (await readRecords(out)).filter((record) => record.type === 'step' && record.purpose === 'measure')
  expect(steps).toMatchObject([{ accounting: { waiting: 0, lost: 0 } }])
  expect(existsSync(join(out, 'report.html'))).toBe(true)
  expect(leftOf(lab)).toEqual(nothingLeft)
}, 600_000)

test('a database that refuses for five seconds is told of, and the step is judged by what was seen', async () => {
  const out = join(folder, 'refusing-run')
  const lab = startCheck('refusing', out)
  await says(lab, 'ping-webhook on check: 3/s')
  const end = Date.now() + 5000
  while (Date.now() < end) {
    for (const pid of postgresqlOf(lab)) process.kill(pid, 'SIGKILL')
    await wait(50)
  }
  const { exit, err } = await lab.ended
  expect(err).not.toMatch(/^\s+at /m)
  // PostgreSQL ends, or only its connections do, and n8n comes back in time to be counted or it does not.
  expect([exitCodes.met, exitCodes.missed, exitCodes.invalid]).toContain(exit)
  expect(await warningsIn(out)).toContainEqual(
    expect.objectContaining({ code: 'no-answer', who: 'n8n’s database', reason: expect.stringMatching(/./) }),
  )
  expect(existsSync(join(out, 'report.html'))).toBe(true)
  expect(leftOf(lab)).toEqual(nothingLeft)
}, 600_000)
