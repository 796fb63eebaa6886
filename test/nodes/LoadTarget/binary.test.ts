import { expect, test } from '@jest/globals'
import { onEachLine } from '../lines.ts'

onEachLine((core) => {
  test.each([0, 1, 3000])('puts a file of %i KiB into the store and reads it again', async (binarySize) => {
    const { items, error } = await core().run({ parameters: { operation: 'binary', binarySize } })
    expect(error).toBeUndefined()
    const [{ json, binary, pairedItem }] = items!
    expect(json).toMatchObject({ operation: 'binary', kibibytes: binarySize, readBytes: binarySize * 1024 })
    expect(json.storedMs).toBeLessThanOrEqual(json.tookMs as number)
    expect(binary!.data).toMatchObject({
      fileName: 'load-target.bin',
      mimeType: 'application/octet-stream',
      id: expect.stringMatching(/^filesystem/),
    })
    expect(pairedItem).toEqual({ item: 0 })
  })

  test('only stores where it is told not to read', async () => {
    const { items } = await core().run({ parameters: { operation: 'binary', binarySize: 10, binaryRead: false } })
    expect(items![0]!.json).not.toHaveProperty('readBytes')
    expect(items![0]!.binary).toHaveProperty('data.id')
  })
})
