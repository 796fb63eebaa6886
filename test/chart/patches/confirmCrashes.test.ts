import { expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'

/** docs/contributing/n8n-loses.md: n8n's own look for executions that are in no queue. */

interface Moment {
  /** The executions that the database calls new or running, the newest first. */
  inProgress: string[]
  /** Those that have a job in the queue. */
  queued: string[]
  /** Those whose job waits in a paused queue. */
  paused?: string[]
}

/** What n8n calls crashed at each of these moments, and after how many seconds it looks again. */
const looks = (version: string, moments: Moment[]) => `
  require('reflect-metadata')
  const { ScalingService } = require('./dist/scaling/scaling.service.js')
  let now
  const crashed = []
  const markAsCrashed = async (ids) => crashed.push(...ids)
  const main = Object.assign(Object.create(ScalingService.prototype), {
    queueRecoveryContext: { batchSize: 3, waitMs: 180 * 60_000 },
    executionRepository: {
      getInProgressExecutionIds: async (most) => now.inProgress.slice(0, most),
      markAsCrashed,
    },
    findJobsByStatus: async (statuses) =>
      [...now.queued, ...(statuses.includes('paused') ? now.paused ?? [] : [])]
        .map((executionId) => ({ data: { executionId } })),
    ${version.startsWith('1.') ? '' : 'executionCrashService: { markAsCrashed },'}
    logger: { debug() {}, info() {} },
  })
  const look = async () => {
    const found = []
    for (now of ${JSON.stringify(moments)}) {
      const wait = (await main.recoverFromQueue()) / 1000
      found.push({ crashed: crashed.splice(0), wait })
    }
    process.stdout.write(JSON.stringify(found), () => process.exit())
  }
  look()`

const see = (version: string, moments: Moment[]) => eachWay(version, 'confirmCrashes', looks(version, moments))
const aMinute = 60
const threeHours = 180 * 60

test.each(['2.41.1', '1.123.81'])(
  'on n8n %s an execution that is about to be queued counts as crashed, and with the patch it does not',
  (version) => {
    const { plain, patched } = see(version, [
      { inProgress: ['2', '1'], queued: ['1'] },
      { inProgress: ['2', '1'], queued: ['2', '1'] },
    ])
    expect(plain).toEqual([
      { crashed: ['2'], wait: threeHours },
      { crashed: [], wait: threeHours },
    ])
    expect(patched).toEqual([
      { crashed: [], wait: aMinute },
      { crashed: [], wait: threeHours },
    ])
  },
)

test('with the patch an execution without a job counts as crashed a minute later', () => {
  const { patched } = see('2.41.1', [
    { inProgress: ['1'], queued: [] },
    { inProgress: ['2', '1'], queued: [] },
    { inProgress: ['2'], queued: ['2'] },
  ])
  expect(patched).toEqual([
    { crashed: [], wait: aMinute },
    { crashed: ['1'], wait: threeHours },
    { crashed: [], wait: threeHours },
  ])
})

test('a backlog hides an execution without a job, and with the patch it does not', () => {
  const backlog = { inProgress: ['4', '3', '2', '1'], queued: ['4', '3', '2'] }
  const { plain, patched } = see('2.41.1', [backlog, backlog])
  expect(plain).toEqual([
    { crashed: [], wait: threeHours },
    { crashed: [], wait: threeHours },
  ])
  expect(patched).toEqual([
    { crashed: [], wait: aMinute },
    { crashed: ['1'], wait: threeHours },
  ])
})

test('an execution in a paused queue counts as crashed, and with the patch it does not', () => {
  const { plain, patched } = see('2.41.1', [{ inProgress: ['1'], queued: [], paused: ['1'] }])
  expect(plain).toEqual([{ crashed: ['1'], wait: threeHours }])
  expect(patched).toEqual([{ crashed: [], wait: threeHours }])
})

test('with the patch, as without it, n8n looks sooner when it found as many as it takes at once', () => {
  const lost = { inProgress: ['4', '3', '2', '1'], queued: [] }
  const { plain, patched } = see('2.41.1', [lost, lost])
  expect(plain).toContainEqual({ crashed: ['4', '3', '2'], wait: threeHours / 2 })
  expect(patched).toEqual([
    { crashed: [], wait: aMinute },
    { crashed: ['4', '3', '2'], wait: threeHours / 2 },
  ])
})
