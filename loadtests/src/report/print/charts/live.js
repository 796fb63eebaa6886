// @ts-check
/* Follows a run that goes on: replaces what has changed, and becomes the report when the run has ended. */
/* global document, EventSource, location */
/* global charts, draw, resized */

const source = new EventSource('/events')
const lost = document.getElementById('lost')

source.addEventListener('update', ({ data }) => {
  lost.hidden = true
  const update = JSON.parse(data)
  for (const [id, markup] of Object.entries(update.parts)) {
    document.getElementById(id).innerHTML = markup
  }
  for (const [id, chart] of Object.entries(update.charts)) {
    const host = document.getElementById(id)
    charts[id] = chart
    // Whoever points at a chart reads it.
    if (host.matches(':hover')) continue
    draw(host)
    resized.observe(host)
  }
})
source.addEventListener('report', () => {
  source.close()
  location.reload()
})
source.addEventListener('end', () => {
  source.close()
  lost.hidden = false
})
source.addEventListener('error', () => { lost.hidden = false })
