import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { cell, constant, end, run, step } from '../fixtures/records.ts'
import { workersRun } from '../fixtures/runs.ts'

const { scaling } = summarise(workersRun())

test('there is one for each group of cells that differ in replicas alone', () => {
  expect(scaling.map(({ setting, cell: others }) => [setting, others])).toEqual([
    ['worker.replicas', { 'worker.resources.limits.cpu': '200m' }],
    ['worker.replicas', { 'worker.resources.limits.cpu': '1' }],
  ])
})

test('it tells what one sustains, what one more would, and how far it is off', () => {
  expect(scaling[0]).toMatchObject({
    refused: null,
    points: [{ replicas: 1 }, { replicas: 2 }, { replicas: 3 }, { replicas: 4 }],
  })
  expect(scaling[0]!.text).toMatch(
    new RegExp(
      [
        String.raw`^ping-webhook, tuned \(worker\.resources\.limits\.cpu=200m\): one replica sustains [\d.]+/s,`,
        String.raw`5 would sustain [\d.]+/s to [\d.]+/s; .+`,
        String.raw`\(worker\.replicas; the law is off by [\d.]+ % at most\)\.$`,
      ].join(' '),
    ),
  )
})

test('it is refused where the points follow no law', () => {
  expect(scaling[1]).toMatchObject({
    law: null,
    peak: null,
    refused: expect.stringContaining('something other than their number decides'),
  })
})

test('a role without replicas is no size of it', () => {
  const cells = [0, 1, 2, 3].flatMap((replicas) => [
    cell(replicas, { matrix: { 'worker.replicas': replicas } }),
    step(replicas, 10 * replicas + 1),
  ])
  expect(summarise([run(), ...cells, end()]).scaling[0]!.points.map(({ replicas }) => replicas)).toEqual([1, 2, 3])
})

test('there is none where every cell was asked for the same rate', () => {
  const cells = [1, 2, 3].flatMap((replicas) => [
    cell(replicas, { matrix: { 'worker.replicas': replicas } }),
    step(replicas, 50),
  ])
  expect(summarise([run({ experiment: { load: constant } }), ...cells, end()]).scaling).toEqual([])
})
