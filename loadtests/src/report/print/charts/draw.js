// @ts-check
/* Draws the charts of the page, each when it is about to be seen. */
/* global uPlot, document, matchMedia, IntersectionObserver, ResizeObserver, addEventListener */
/* global latencyChart, timeChart */

const charts = JSON.parse(document.getElementById('charts').textContent)
const drawn = new Map()

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
  const chart = charts[host.id]
  // A live page has places whose first figures are still to come.
  if (!chart) return
  drawn.get(host)?.destroy()
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
