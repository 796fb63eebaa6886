// @ts-check
/* What each process used over time, behind it the steps and on it the deaths. */
/* global uPlot, colour, seriesColour, faded, short, mebibytes, milliseconds, clock, axis, pen, across, written */

const sizes = [64, 128, 256, 512, 1024, 2048, 4096].map((size) => size * 2 ** 20)

/** The moments whose points no line reaches: only a dot shows them. */
function lonely({ t, v }) {
  const known = (index) => v[index] !== null && v[index] !== undefined
  return t.filter((_, index) => known(index) && !known(index - 1) && !known(index + 1))
}

function timeChart(chart) {
  const format = { bytes: mebibytes, milliseconds }[chart.unit] ?? short.format
  // A null breaks its line through all moments of other lines: mode 2 of uPlot, without which it is one moment.
  const data = uPlot.join(chart.lines.map(({ t, v }) => [t, v]), chart.lines.map(() => [2, 2]))
  const used = Math.max(...chart.lines.flatMap(({ v }) => v), 0)
  // A limit far above the curve would flatten it: then the words have to do.
  const limit = chart.limit && chart.limit.value < used * 4 ? chart.limit : null
  const high = Math.max(used, limit ? limit.value : 0) * 1.12 || 1
  return {
    data,
    options: {
      scales: { x: { time: false }, y: { range: [0, high] } },
      axes: [
        axis(clock, 30, { space: 50, incrs: [5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200] }),
        axis(format, 64, chart.unit === 'bytes' ? { incrs: sizes } : {}),
      ],
      series: [{}, ...chart.lines.map((line) => ({
        stroke: seriesColour(line.colour),
        width: line.dashed ? 1.25 : 1.75,
        dash: line.dashed ? [4, 3] : undefined,
        points: {
          show: false,
          filter: () => lonely(line).map((at) => data[0].indexOf(at)),
          fill: seriesColour(line.colour),
        },
      }))],
      hooks: {
        drawClear: [(plot) => bands(plot, chart.steps)],
        draw: [
          (plot) => limit && across(plot, limit.value, limit.label, colour('ink')),
          (plot) => exits(plot, chart.exits),
        ],
      },
    },
    tip: (plot, left) => {
      const index = plot.posToIdx(left)
      const at = plot.data[0][index]
      const step = chart.steps.find(({ from, to }) => at >= from && at <= to)
      const rows = chart.lines.map(({ name }, line) => [name, plot.data[line + 1][index]])
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => `${name}: ${format(value)}`)
      return [`${clock(at)}${step ? `, ${step.label}` : ''}`, ...rows].join('\n')
    },
  }
}

function bands(plot, steps) {
  const tint = {
    held: faded(colour('good'), 0.09),
    broke: faded(colour('bad'), 0.13),
    spoiled: faded(colour('muted'), 0.16),
    'warm-up': faded(colour('muted'), 0.08),
  }
  pen(plot, (ctx, bbox) => {
    for (const { from, to, state } of steps) {
      const left = plot.valToPos(from, 'x', true)
      ctx.fillStyle = tint[state]
      ctx.fillRect(left, bbox.top, plot.valToPos(to, 'x', true) - left, bbox.height)
    }
  })
}

function exits(plot, all) {
  pen(plot, (ctx, bbox, ratio) => {
    let free = -Infinity
    for (const { at, label } of all) {
      const x = Math.round(plot.valToPos(at, 'x', true))
      ctx.strokeStyle = colour('bad')
      ctx.lineWidth = 2 * ratio
      ctx.setLineDash([])
      ctx.beginPath()
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x, bbox.top + bbox.height)
      ctx.stroke()
      const width = ctx.measureText(label).width + 8 * ratio
      const onTheLeft = x + width > bbox.left + bbox.width
      // Deaths in quick succession would write over each other: the first one speaks.
      if ((onTheLeft ? x - width : x) < free) continue
      const [besideX, aboveY] = [x + (onTheLeft ? -4 : 4) * ratio, bbox.top + bbox.height - 8 * ratio]
      written(ctx, label, besideX, aboveY, onTheLeft ? 'right' : 'left', colour('bad'), ratio)
      free = onTheLeft ? x : x + width
    }
  })
}
