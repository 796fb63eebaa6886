import { glob, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { faultErrors } from '../../fault/fault-errors.ts'

/**
 * A clock that the lab can move, for the processes that start with its variables. libfaketime answers them in the
 * kernel's place. What measures durations is not moved, as on a machine whose clock is set.
 */
export interface OwnClock {
  env: Record<string, string>
  /** Sets it an hour ahead; returns a function that sets it back. */
  move(): Promise<() => Promise<void>>
}

/** Where distributions put the library; the one for programs with threads. */
const places = ['/usr/lib/*', '/usr/lib64', '/usr/lib', '/usr/local/lib'].map(
  (folder) => `${folder}/faketime/libfaketimeMT.so.1`,
)

/** The library by which the lab moves clocks; null if this machine has none. */
export async function clockLibrary(): Promise<string | null> {
  for await (const file of glob(places)) return file
  return null
}

export async function openOwnClock(folder: string): Promise<OwnClock> {
  const library = await clockLibrary()
  if (library === null) throw faultErrors.needsClockLibrary()
  const file = join(folder, 'clock')
  // In one step, so that no process reads half of it.
  const set = async (offset: string) => {
    await writeFile(`${file}.new`, `${offset}\n`)
    await rename(`${file}.new`, file)
  }
  await set('+0')
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // Seconds until a process reads the file again.
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    async move() {
      await set('+1h')
      return () => set('+0')
    },
  }
}
