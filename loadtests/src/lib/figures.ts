/** How figures are written for readers. */

/** Three significant digits: a load test is no more precise. */
export function figure(value: number): string {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: value >= 1000 ? 4 : 3 }).format(value)
}

/** As an option takes it: without the commas of a figure that is read. */
export const asOption = (value: number): string => String(Number(value.toPrecision(value >= 1000 ? 4 : 3)))

/** Slower than once in a quarter of an hour is no load. */
const leastRate = 0.001

export const perSecond = (value: number): string =>
  value > 0 && value < leastRate ? `under ${leastRate}/s` : `${figure(value)}/s`

/** `from 2,103/s to 2,513/s` */
export const span = (rates: number[]): string =>
  `from ${perSecond(Math.min(...rates))} to ${perSecond(Math.max(...rates))}`

export const percent = (share: number): string => `${figure(share * 100)} %`

/** For shares that are themselves uncertain: two digits. */
export const roughly = (share: number): string =>
  `${new Intl.NumberFormat('en', { maximumSignificantDigits: 2 }).format(share * 100)} %`

/** `18 % more`, for a change as a share. */
export const moreOrLess = (change: number): string => `${roughly(Math.abs(change))} ${change > 0 ? 'more' : 'less'}`

/** Null for one run, whose ± is unknown. */
export const plusOrMinus = (within: number | null): string => (within === null ? 'one run' : `± ${roughly(within)}`)

/** `about 20 times`, `about 40 %`: no finer than a single run can measure. */
export const about = (value: number): string =>
  `about ${new Intl.NumberFormat('en', { maximumSignificantDigits: 1 }).format(value)}`

/** `5.2 ± 0.4`: as many digits as its precision allows. */
export function plusMinus(value: number, off: number): string {
  const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(Math.max(off, 1e-6)))))
  return `${value.toFixed(digits)} ± ${off.toFixed(digits)}`
}

export const count = (value: number): string => new Intl.NumberFormat('en').format(value)

export function latency(milliseconds: number): string {
  return milliseconds < 1000 ? `${figure(milliseconds)} ms` : `${figure(milliseconds / 1000)} s`
}

export function memory(bytes: number): string {
  const mebibytes = bytes / 2 ** 20
  const whole = Number.isInteger(mebibytes / 1024)
  return whole || mebibytes >= 10_000 ? `${figure(mebibytes / 1024)} GiB` : `${count(Math.round(mebibytes))} MiB`
}

export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const parts = [hours && `${hours} h`, minutes && `${minutes} min`, !hours && seconds % 60 && `${seconds % 60} s`]
  return parts.filter(Boolean).join(' ')
}

/** `a`, `a and b`, `a, b and c` */
export function list(parts: string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** `tuned`, or with a matrix `tuned (main.replicas=2)`. */
export function nameOf({ variant, cell }: { variant: string; cell: Record<string, unknown> }): string {
  const settings = Object.entries(cell).map(
    ([path, value]) => `${path}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return settings.length > 0 ? `${variant} (${settings.join(', ')})` : variant
}
