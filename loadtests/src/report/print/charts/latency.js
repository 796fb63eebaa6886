// @ts-check
/* A line through the latency of each rate, and a mark for every step. */
/* global uPlot, colour, seriesColour, short, milliseconds, axis, pen, across, faded */

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** Latency does not fall with the rate: neighbours that say so are one, by their geometric mean. */
function rising(values, weights) {
  const pools = []
  values.forEach((value, index) => {
    pools.push({ sum: Math.log(value) * weights[index], weight: weights[index], size: 1 })
    while (pools.length > 1 && pools.at(-2).sum / pools.at(-2).weight > pools.at(-1).sum / pools.at(-1).weight) {
      const last = pools.pop()
      const into = pools.at(-1)
      into.sum += last.sum
      into.weight += last.weight
      into.size += last.size
    }
  })
  return pools.flatMap(({ sum, weight, size }) => Array.from({ length: size }, () => Math.exp(sum / weight)))
}

/** A line through the median of each rate at which n8n lived; the steps themselves are marks on top. */
function latencyChart(chart) {
  const tables = chart.series.map(({ points }) => {
    const onCurve = points.filter((point) => point.onCurve && point.state !== 'spoiled')
    const byRate = [...Map.groupBy(onCurve, (point) => point.x)].sort(([a], [b]) => a - b)
    return [byRate.map(([x]) => x), rising(byRate.map(([, same]) => median(same.map((point) => point.y))), byRate.map(([, same]) => same.length))]
  })
  const all = chart.series.flatMap(({ points }) => points.map((point) => point.y))
  const low = Math.min(...all, chart.objective) / 1.6
  const high = Math.max(...all, chart.objective) * 1.6
  const rates = chart.series.flatMap(({ points, band }) => [...points.map((point) => point.x), ...(band ? [band.high] : [])])
  const [slowest, fastest] = [Math.min(...rates) / 1.3, Math.max(...rates)]
  const bands = (plot) => pen(plot, (ctx, { top, height }) => {
    for (const { band, colour: number } of chart.series) {
      if (!band) continue
      const [from, to] = [plot.valToPos(band.low, 'x', true), plot.valToPos(band.high, 'x', true)]
      ctx.fillStyle = faded(seriesColour(number), 0.14)
      ctx.fillRect(from, top, to - from, height)
    }
  })
  const marks = (plot) => pen(plot, (ctx, _, ratio) => {
    for (const state of ['spoiled', 'broke', 'held']) for (const { points, colour: number } of chart.series) {
      for (const point of points.filter((each) => each.state === state)) {
        const [x, y] = [plot.valToPos(point.x, 'x', true), plot.valToPos(point.y, 'y', true)]
        mark(ctx, x, y, point.state, number, ratio)
      }
    }
  })
  const logarithmic = { distr: 3, log: 10, range: [slowest, fastest * 1.3] }
  const rungs = chart.logarithmicX && { splits: () => ladder(slowest, fastest * 1.3) }
  return {
    data: uPlot.join(tables),
    options: {
      scales: {
        x: { time: false, ...(chart.logarithmicX ? logarithmic : { range: [slowest > fastest / 4 ? slowest * 0.9 : 0, fastest * 1.05] }) },
        y: { distr: 3, log: 10, range: [low, high] },
      },
      axes: [
        axis(short.format, 28, { label: chart.xLabel, labelSize: 20, labelGap: 2, space: 60, ...rungs }),
        axis(milliseconds, 62, { splits: () => ladder(low, high) }),
      ],
      series: [{}, ...chart.series.map(({ colour: number }, index) => ({
        stroke: seriesColour(number),
        width: 2,
        dash: index >= 8 ? [6, 3] : undefined,
        spanGaps: true,
        points: { show: false },
      }))],
      hooks: {
        drawClear: [bands],
        draw: [
          (plot) => across(plot, chart.objective, `objective ${milliseconds(chart.objective)}`, colour('ink'), 'left'),
          marks,
        ],
      },
    },
    tip: (plot, left, top) => nearest(plot, chart, left, top),
  }
}

/** 1, 2, 5, 10, … as far as there is room. */
function ladder(low, high) {
  const wide = Math.log10(high / low) > 3
  const rungs = []
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++) {
    for (const digit of wide ? [1] : [1, 2, 5]) rungs.push(digit * 10 ** power)
  }
  return rungs.filter((rung) => rung >= low && rung <= high)
}

/** Held and broke differ in shape, not only in colour. */
function mark(ctx, x, y, state, number, ratio) {
  const size = 4 * ratio
  ctx.setLineDash([])
  ctx.beginPath()
  if (state === 'held') {
    ctx.arc(x, y, size, 0, 2 * Math.PI)
    ctx.fillStyle = seriesColour(number)
    ctx.fill()
    return
  }
  if (state === 'spoiled') {
    ctx.arc(x, y, size, 0, 2 * Math.PI)
    ctx.lineWidth = 1.25 * ratio
    ctx.strokeStyle = colour('muted')
    ctx.stroke()
    return
  }
  // A ring in the series' colour says whose it is.
  ctx.arc(x, y, size * 1.8, 0, 2 * Math.PI)
  ctx.lineWidth = 1.25 * ratio
  ctx.strokeStyle = seriesColour(number)
  ctx.stroke()
  ctx.beginPath()
  ctx.moveTo(x - size, y - size)
  ctx.lineTo(x + size, y + size)
  ctx.moveTo(x + size, y - size)
  ctx.lineTo(x - size, y + size)
  ctx.lineWidth = 2.5 * ratio
  ctx.strokeStyle = colour('bad')
  ctx.stroke()
}

function nearest(plot, chart, left, top) {
  let best = null
  for (const { name, points } of chart.series) {
    for (const point of points) {
      const distance = Math.hypot(plot.valToPos(point.x, 'x') - left, plot.valToPos(point.y, 'y') - top)
      if (distance < 40 && (!best || distance < best.distance)) best = { distance, text: `${name}\n${point.note}` }
    }
  }
  return best && best.text
}
