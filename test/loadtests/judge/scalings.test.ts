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

test('it has the points, and the law through them', () => {
  expect(scaling[0]).toMatchObject({
    noLaw: null,
    law: { lambda: expect.any(Number) },
    points: [{ replicas: 1 }, { replicas: 2 }, { replicas: 3 }, { replicas: 4 }],
  })
})

test('it is refused where the points follow no law', () => {
  expect(scaling[1]).toMatchObject({
    law: null,
    peak: null,
    noLaw: { code: 'off-the-law' },
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
