import { setTimeout as wait } from 'node:timers/promises'

/** Repeats the kill until it is gone: a runtime that is still making a container does not know that container yet. */
export async function endUntilGone(end: () => Promise<void>, gone: Promise<unknown>): Promise<void> {
  let over = false
  const noted = gone.then(() => void (over = true))
  while (!over) {
    await end()
    await Promise.race([noted, wait(50)])
  }
}
