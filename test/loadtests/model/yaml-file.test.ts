import { temporaryFolder, write } from '../../support/temporary.ts'
import { profile, parse } from '../fixtures/profile.ts'
import { loadProfile } from '../../../loadtests/src/model/profile.ts'

describe('what stands where', () => {
  const { locate, has } = parse(profile({}, 'base:\n  main:\n    replicas: 1\n'))

  test('a value is located by the line of its key', () => {
    expect(locate(['base', 'main', 'replicas'])).toEqual({ file: 'mine.yaml', line: 7 })
  })

  test('an entry of a list by its own line', () => {
    expect(parse(profile({ workflows: 'workflows:\n  - one\n  - two' })).locate(['workflows', 1])).toEqual({
      file: 'mine.yaml',
      line: 5,
    })
  })

  test('what is not there by the nearest that is', () => {
    expect(locate(['base', 'main', 'resources', 'limits'])).toEqual({ file: 'mine.yaml', line: 6 })
    expect(locate(['nothing', 'of', 'this'])).toEqual({ file: 'mine.yaml', line: 1 })
  })

  test('is known without being a map all the way', () => {
    expect(has(['base', 'main', 'replicas'])).toBe(true)
    expect(has(['base', 'main', 'replicas', 'deeper'])).toBe(false)
    expect(has(['matrix'])).toBe(false)
  })

  test('a file is loaded under the name it was asked for by', async () => {
    const file = await write(folder, 'mine.yaml', profile())
    expect((await loadProfile(file)).locate(['load'])).toEqual({ file, line: 4 })
  })
})

const folder = temporaryFolder()
