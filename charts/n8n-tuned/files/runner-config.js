// Rewrites the configuration of n8n's runner launcher, from the one in this image. It adds what code may import, and
// which variables the launcher passes on to it. Those are named in HANDED_ON, or come from the sources of runner.extraEnvFrom,
// which have the prefix HANDED_ON_ in this container alone. No other variable is passed on, such as the identity that a
// cloud gives a pod.
const { readFileSync, writeFileSync } = require('fs')

const { ALLOW_JAVASCRIPT, ALLOW_PYTHON, HANDED_ON, ...env } = process.env
const allow = { javascript: JSON.parse(ALLOW_JAVASCRIPT), python: JSON.parse(ALLOW_PYTHON) }
const prefix = 'HANDED_ON_'
const sourced = Object.keys(env).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
const handedOn = [...HANDED_ON.split(' ').filter(Boolean), ...sourced]

const config = JSON.parse(readFileSync(process.argv[1] || '/etc/n8n-task-runners.json', 'utf8'))
for (const runner of config['task-runners']) {
  const overrides = { ...runner['env-overrides'], ...allow[runner['runner-type']] }
  for (const name of handedOn) delete overrides[name]
  runner['env-overrides'] = overrides
  runner['allowed-env'] = [...new Set([...runner['allowed-env'], ...handedOn])]
}
writeFileSync(process.argv[2] || '/config/n8n-task-runners.json', JSON.stringify(config))
