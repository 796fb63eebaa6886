/** One rate that was tried. */
export interface Trial {
  rate: number
  holds: boolean
}

/** Noise can break a rate below one that held. The higher one is the proof. */
export function bracket(tried: Trial[]): { held: number | null; broke: number | null } {
  const held = tried.reduce<number | null>((most, { rate, holds }) => (holds ? Math.max(most ?? 0, rate) : most), null)
  const above = tried.filter(({ rate, holds }) => !holds && rate > (held ?? 0)).map(({ rate }) => rate)
  return { held, broke: above.length ? Math.min(...above) : null }
}
