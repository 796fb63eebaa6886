import { isGone, thisOwner } from '../../../../loadtests/src/targets/kubernetes/namespaces.ts'

const now = Date.parse('2026-11-20T09:00:00Z')
const justNow = '2026-11-20T08:58:00Z'
const longAgo = '2026-11-20T08:50:00Z'
const me = thisOwner()

describe('a lab is gone', () => {
  test('when its process of this machine is, or another has its number', async () => {
    expect(await isGone({ ...me, seen: longAgo }, now)).toBe(false)
    expect(await isGone({ ...me, started: '1', seen: justNow }, now)).toBe(true)
  })

  test('when one of another machine has been silent for some minutes', async () => {
    const other = { ...me, place: 'elsewhere' }
    expect(await isGone({ ...other, seen: justNow }, now)).toBe(false)
    expect(await isGone({ ...other, seen: longAgo }, now)).toBe(true)
    expect(await isGone(other, now)).toBe(true)
  })

  test('where processes cannot be looked up, only when it has been silent, whoever asks', async () => {
    const onMacOs = { place: '', pid: '4711', started: 'null' }
    for (const here of [onMacOs, me]) {
      expect(await isGone({ ...onMacOs, seen: justNow }, now, here)).toBe(false)
      expect(await isGone({ ...onMacOs, seen: longAgo }, now, here)).toBe(true)
    }
  })
})
