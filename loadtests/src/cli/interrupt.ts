/** Ctrl-C asks for an orderly end, and so does every signal to stop. A second signal ends the lab at once. */
export function onInterrupt(say: () => void, endAtOnce: () => void): { signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const abort = () => {
    if (controller.signal.aborted) return endAtOnce()
    say()
    controller.abort()
  }
  for (const name of signals) process.on(name, abort)
  return {
    signal: controller.signal,
    release: () => signals.forEach((name) => process.off(name, abort)),
  }
}
