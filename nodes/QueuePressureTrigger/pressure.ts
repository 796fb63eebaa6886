/** When pressure begins and when it is over. Between `under` and `over` the state stays as it is. */
export interface Rules {
  /** Waiting and active executions ÷ capacity: 1 when everything is in use and nothing waits. */
  over: number
  under: number
  overMs: number
  underMs: number
}

export interface State {
  pressed: boolean
  /** Since when the other state has applied, without a break; ms since 1970. */
  since?: number
}

export interface Load {
  /** Waiting and active. */
  jobs: number
  /** Null if no worker is connected: then any job means pressure. */
  capacity: number
}

/** The state after the next look; `since` of the event is when the new state began. */
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
