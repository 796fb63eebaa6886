// Shows what one run says against another. All pairs are in the page: whichever is chosen first, the older is before.
const pairs = JSON.parse(document.getElementById('pairs').textContent)
const [before, after] = ['earlier', 'later'].map((id) => document.getElementById(id))
const verdicts = document.getElementById('verdicts')

function element(name, text, className) {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className) made.className = className
  return made
}

function listOf(items) {
  const list = element('ul')
  list.append(...items)
  return list
}

function show() {
  const chosen = [before.value, after.value]
  const pair = pairs.find(({ earlier, later }) => chosen.includes(earlier) && chosen.includes(later))
  verdicts.replaceChildren()
  if (!pair) return verdicts.append(element('p', 'Choose two different runs.'))
  if (pair.earlier !== chosen[0]) verdicts.append(element('p', `${pair.earlier} was measured before ${pair.later}.`))
  if (pair.warning) verdicts.append(element('p', pair.warning, 'note'))
  const said = pair.verdicts.map(({ verdict, tone, text }) => {
    const item = element('li')
    item.append(element('span', verdict, `pill ${tone}`), ` ${text}`)
    return item
  })
  verdicts.append(said.length ? listOf(said) : element('p', 'They have no workflow in common.'))
  verdicts.append(element('h3', 'What changed between them'))
  verdicts.append(
    pair.changed.length
      ? listOf(pair.changed.map((text) => element('li', text)))
      : element('p', 'Nothing that the lab knows of.'),
  )
}

if (before && after) {
  before.addEventListener('change', show)
  after.addEventListener('change', show)
  show()
}
