// @ts-check
/* Draws the charts of the page. Runs in the reader's browser, from the file itself. */
/* global uPlot, document, window, matchMedia, getComputedStyle, IntersectionObserver, ResizeObserver, addEventListener */
{
  const charts = JSON.parse(document.getElementById('charts').textContent)
  const drawn = new Map()

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
  const seriesColour = (number) => colour(`series-${number}`)
  const faded = (value, share) => `color-mix(in srgb, ${value} ${share * 100}%, transparent)`
  const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif'

  const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
  const milliseconds = (value) => (value < 1000 ? `${short.format(value)} ms` : `${short.format(value / 1000)} s`)
  const mebibytes = (value) => (value >= 2 ** 30 && value % 2 ** 28 === 0 ? `${short.format(value / 2 ** 30)} GiB` : `${Math.round(value / 2 ** 20)} MiB`)
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

  function median(values) {
    const sorted = values.toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)]
  }

  /** A line through the median of each rate at which n8n lived; the steps themselves are marks on top. */
  function latencyChart(chart) {
    const tables = chart.series.map(({ points }) => {
      const byRate = [...Map.groupBy(points.filter((point) => point.onCurve), (point) => point.x)].sort(([a], [b]) => a - b)
      return [byRate.map(([x]) => x), byRate.map(([, same]) => median(same.map((point) => point.y)))]
    })
    const all = chart.series.flatMap(({ points }) => points.map((point) => point.y))
    const low = Math.min(...all, chart.objective) / 1.6
    const high = Math.max(...all, chart.objective) * 1.6
    const rates = chart.series.flatMap(({ points }) => points.map((point) => point.x))
    const [slowest, fastest] = [Math.min(...rates) / 1.3, Math.max(...rates)]
    const marks = (plot) => pen(plot, (ctx, _, ratio) => {
      for (const state of ['broke', 'held']) for (const { points, colour: number } of chart.series) {
        for (const point of points.filter((each) => each.state === state)) mark(ctx, plot.valToPos(point.x, 'x', true), plot.valToPos(point.y, 'y', true), point.state, number, ratio)
      }
    })
    return {
      data: uPlot.join(tables),
      options: {
        scales: {
          x: { time: false, ...(chart.logarithmicX ? { distr: 3, log: 10, range: [slowest, fastest * 1.3] } : { range: [0, fastest * 1.05] }) },
          y: { distr: 3, log: 10, range: [low, high] },
        },
        axes: [
          axis(short.format, 28, { label: chart.xLabel, labelSize: 20, labelGap: 2, space: 60, ...(chart.logarithmicX && { splits: () => ladder(slowest, fastest * 1.3) }) }),
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

  function timeChart(chart) {
    const format = chart.unit === 'bytes' ? mebibytes : (value) => short.format(value)
    const data = uPlot.join(chart.lines.map(({ t, v }) => [t, v]))
    const used = Math.max(...chart.lines.flatMap(({ v }) => v), 0)
    // A limit far above the curve would flatten it: then the words have to do.
    const limit = chart.limit && chart.limit.value < used * 4 ? chart.limit : null
    const high = Math.max(used, limit ? limit.value : 0) * 1.12 || 1
    return {
      data,
      options: {
        scales: { x: { time: false }, y: { range: [0, high] } },
        axes: [axis(clock, 30, { space: 50, incrs: [5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200] }), axis(format, 64, chart.unit === 'bytes' ? { incrs: [64, 128, 256, 512, 1024, 2048, 4096].map((size) => size * 2 ** 20) } : {})],
        series: [{}, ...chart.lines.map(({ colour: number, dashed }) => ({
          stroke: seriesColour(number),
          width: dashed ? 1.25 : 1.75,
          dash: dashed ? [4, 3] : undefined,
          spanGaps: true,
          points: { show: false },
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
    const tint = { held: faded(colour('good'), 0.09), broke: faded(colour('bad'), 0.13), 'warm-up': faded(colour('muted'), 0.08) }
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
        written(ctx, label, x + (onTheLeft ? -4 : 4) * ratio, bbox.top + bbox.height - 8 * ratio, onTheLeft ? 'right' : 'left', colour('bad'), ratio)
        free = onTheLeft ? x : x + width
      }
    })
  }

  /** Follows the cursor and stays inside the chart. */
  function tooltip(host, textAt) {
    const tip = document.createElement('div')
    tip.className = 'tip'
    tip.hidden = true
    return {
      hooks: {
        init: [(plot) => plot.over.append(tip)],
        setCursor: [(plot) => {
          const { left, top } = plot.cursor
          const text = left >= 0 ? textAt(plot, left, top) : null
          tip.hidden = !text
          if (!text) return
          tip.textContent = text
          const { clientWidth, clientHeight } = plot.over
          tip.style.left = `${Math.max(0, Math.min(left + 12, clientWidth - tip.offsetWidth))}px`
          tip.style.top = `${Math.max(0, Math.min(top + 12, clientHeight - tip.offsetHeight))}px`
        }],
      },
    }
  }

  function draw(host) {
    drawn.get(host)?.destroy()
    const chart = charts[host.id]
    const { data, options, tip } = chart.kind === 'latency' ? latencyChart(chart) : timeChart(chart)
    drawn.set(host, new uPlot({
      ...options,
      width: host.clientWidth,
      height: host.clientHeight,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: chart.kind === 'time', size: 6 } },
      padding: [10, 8, 0, 0],
      plugins: [tooltip(host, tip)],
    }, data, host))
  }

  const hosts = [...document.querySelectorAll('.chart')]
  const resized = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const plot = drawn.get(target)
      if (plot && target.clientWidth > 0 && plot.width !== target.clientWidth) {
        plot.setSize({ width: target.clientWidth, height: target.clientHeight })
      }
    }
  })
  // A run of many cells has many charts: each is drawn when it is about to be seen.
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue
      seen.unobserve(target)
      draw(target)
      resized.observe(target)
    }
  }, { rootMargin: '600px' })
  for (const host of hosts) seen.observe(host)

  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => [...drawn.keys()].forEach(draw))
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details.over-time')) details.open = true
    for (const host of hosts) if (!drawn.has(host)) draw(host)
  })
}
