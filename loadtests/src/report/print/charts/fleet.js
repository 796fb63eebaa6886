// @ts-check
/* Moves what a fleet does with its sliders. The model is the one that `plan` runs. */
/* global document, figure, figuresOf, mainsFor */

for (const place of document.querySelectorAll('.fleet')) {
  const { fleet, size, objective } = JSON.parse(place.querySelector('script').textContent)
  const inputs = [...place.querySelectorAll('[type=range]')]
  const prices = [...place.querySelectorAll('[type=number]')]
  const show = () => {
    const given = Object.fromEntries(inputs.map(({ name, value }) => [name, Number(value)]))
    const { rate, worker, webhook, workerCpu, workerMebibytes } = given
    const workerMemory = workerMebibytes * 2 ** 20
    const wanted = { ...size, worker, webhook, workerCpu, workerMemory, main: mainsFor(fleet, rate) }
    const [cpu, memory] = prices.map(({ value }) => Number(value))
    const price = prices.some(({ value }) => value !== '') ? { cpu, memory } : null
    for (const { name, value } of inputs) place.querySelector(`[data-of="${name}"]`).textContent = figure(Number(value))
    for (const [name, text] of Object.entries(figuresOf(fleet, { size: wanted, rate, objective, price })))
      place.querySelector(`[data-figure="${name}"]`).textContent = text
  }
  for (const input of [...inputs, ...prices]) input.addEventListener('input', show)
  // A browser that goes back to the page has kept where the sliders were.
  show()
}
