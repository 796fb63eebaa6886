import { brokenWhereUnseen } from '../../../loadtests/src/report/pauses.ts'

test('a line is broken where an n8n waited for its turn, and nowhere else', () => {
  expect(brokenWhereUnseen([0, 1, 2, 4, 20, 21], [5, 6, 7, 8, 1, 2])).toEqual({
    t: [0, 1, 2, 4, 12, 20, 21],
    v: [5, 6, 7, 8, null, 1, 2],
  })
})

test('looks that a long run keeps far apart are one line', () => {
  const line = { t: [0, 30, 60, 90], v: [1, 2, 3, 4] }
  expect(brokenWhereUnseen(line.t, line.v)).toEqual(line)
})
