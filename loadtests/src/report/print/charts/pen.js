// @ts-check
/* What all charts are drawn with: colours, figures, axes, and a pen for what uPlot does not draw. */
/* global document, window, getComputedStyle */

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
const seriesColour = (number) => colour(`series-${number}`)
const faded = (value, share) => `color-mix(in srgb, ${value} ${share * 100}%, transparent)`
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif'

const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const milliseconds = (value) => (value < 1000 ? `${short.format(value)} ms` : `${short.format(value / 1000)} s`)
const mebibytes = (value) => {
  const inQuarters = value >= 2 ** 30 && value % 2 ** 28 === 0
  return inQuarters ? `${short.format(value / 2 ** 30)} GiB` : `${Math.round(value / 2 ** 20)} MiB`
}
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`

/** Everything about an axis but its figures. */
const axis = (values, size, more) => ({
  stroke: colour('muted'),
  font: FONT,
  labelFont: FONT,
  size,
  gap: 6,
  // On a logarithmic scale uPlot would leave out all figures but powers of ten.
  filter: (_, splits) => splits,
  values: (_, splits) => splits.map((split) => (split === null ? '' : values(split))),
  grid: { stroke: colour('grid'), width: 1 },
  ticks: { stroke: colour('line'), width: 1, size: 4 },
  ...more,
})

/** A pen on the chart in its own pixels, confined to the plot. */
function pen(plot, draw) {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.font = FONT.replace('12px', `${12 * window.devicePixelRatio}px`)
  draw(ctx, bbox, window.devicePixelRatio)
  ctx.restore()
}

/** A dashed line across with its meaning written on it. */
function across(plot, value, label, stroke, align = 'right') {
  pen(plot, (ctx, bbox, ratio) => {
    const y = Math.round(plot.valToPos(value, 'y', true))
    ctx.strokeStyle = stroke
    ctx.lineWidth = 1.5 * ratio
    ctx.setLineDash([6 * ratio, 4 * ratio])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    const above = y - bbox.top > 18 * ratio
    const x = align === 'left' ? bbox.left + 6 * ratio : bbox.left + bbox.width - 6 * ratio
    written(ctx, label, x, y + (above ? -6 : 15) * ratio, align, stroke, ratio)
  })
}

/** Text that stays readable on top of lines. */
function written(ctx, text, x, y, align, fill, ratio) {
  ctx.textAlign = align
  ctx.setLineDash([])
  ctx.lineJoin = 'round'
  ctx.lineWidth = 4 * ratio
  ctx.strokeStyle = colour('surface')
  ctx.strokeText(text, x, y)
  ctx.fillStyle = fill
  ctx.fillText(text, x, y)
}
