/** When pressure counts as such, and when as over. Between `under` and `over` everything stays as it is. */
export interface Rules {
  /** Of the capacity: 1 when everything is in use and nothing waits. */
  over: number
  under: number
  overMs: number
  underMs: number
}

export interface State {
  pressed: boolean
  /** Since when the other side has held, without a break; ms since 1970. */
  since?: number
}

export interface Load {
  /** Waiting and active. */
  jobs: number
  /** None where no worker is connected: then any job at all is pressure. */
  capacity: number
}

/** What the next look makes of it; `since` of the event is when its side began. */
export function next(
  { pressed, since }: State,
  { jobs, capacity }: Load,
  rules: Rules,
  now: number,
): State & { event?: { since: number } } {
  const turning = pressed ? jobs <= rules.under * capacity : jobs > rules.over * capacity
  if (!turning) return { pressed }
  const began = since ?? now
  if (now - began < (pressed ? rules.underMs : rules.overMs)) return { pressed, since: began }
  return { pressed: !pressed, event: { since: began } }
}
