import { parseDuration, parseShare } from '../../../loadtests/src/lib/units.ts'

describe('a duration', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['0.5s', 500],
    [' 1s ', 1000],
  ])('%j is %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  test.each(['', '30', 's', '-1s', '1 s', '1d', '1s2m', 'soon'])('%j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })
})

describe('a share', () => {
  test.each([
    ['0.1%', 0.001],
    ['5%', 0.05],
    ['100%', 1],
    ['0.05', 0.05],
    ['0', 0],
    ['1', 1],
  ])('%j is %d', (text, share) => {
    expect(parseShare(text)).toBeCloseTo(share, 10)
  })

  test.each(['', '%', '101%', '1.5', '-1%', '5 %', 'few'])('%j is none', (text) => {
    expect(parseShare(text)).toBeUndefined()
  })
})
