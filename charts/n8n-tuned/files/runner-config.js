// Writes the configuration of n8n's runner launcher anew, from the one in this image: what code may import, and that
// the variables of this container are handed on to it. The launcher passes no variable that its configuration does not
// name.
const { readFileSync, writeFileSync } = require('fs')

const { ALLOW_JAVASCRIPT, ALLOW_PYTHON, ...env } = process.env
const allow = { javascript: JSON.parse(ALLOW_JAVASCRIPT), python: JSON.parse(ALLOW_PYTHON) }
const handedOn = Object.keys(env).filter((name) => !name.startsWith('KUBERNETES_'))

const config = JSON.parse(readFileSync(process.argv[1] || '/etc/n8n-task-runners.json', 'utf8'))
for (const runner of config['task-runners']) {
  const overrides = { ...runner['env-overrides'], ...allow[runner['runner-type']] }
  for (const name of handedOn) delete overrides[name]
  runner['env-overrides'] = overrides
  runner['allowed-env'] = [...new Set([...runner['allowed-env'], ...handedOn])]
}
writeFileSync(process.argv[2] || '/config/n8n-task-runners.json', JSON.stringify(config))
