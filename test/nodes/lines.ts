import { afterAll, beforeAll, describe } from '@jest/globals'
import { startCore, type Core } from '../support/core.ts'
import { versions, type Version } from '../support/runtime.ts'

/** Runs the same tests on the n8n-core of each line. */
export function onEachLine(tests: (core: () => Core, version: Version) => void): void {
  const cores = new Map<Version, Core>()
  beforeAll(async () => {
    await Promise.all(versions.map(async (version) => cores.set(version, await startCore(version))))
  }, 300_000)
  afterAll(() => Promise.all([...cores.values()].map((core) => core.stop())))

  describe.each(versions)('on n8n-core %s', (version) => tests(() => cores.get(version)!, version))
}

/** The JSON of the only item. */
export async function runOne(core: Core, parameters: Record<string, unknown>) {
  const { items, error } = await core.run({ parameters: parameters as never })
  if (error || items?.length !== 1) throw new Error(`Expected one item, got ${error?.message ?? items?.length}`)
  return items[0]!.json
}
