// Loads the patches that N8N_TUNED_PATCHES names into n8n, before n8n's first module runs. A patch is applied only if
// each module that it changes is byte for byte one that it was verified on. Otherwise none of its modules is changed.
const { createHash } = require('crypto')
const fs = require('fs')
const Module = require('module')
const path = require('path')
const { isMainThread } = require('worker_threads')
const { show } = require('./metrics.js')

/** The folder of the package n8n, which the command of this process belongs to. */
const rootOf = (main) => (/[\\/]n8n[\\/]bin[\\/]n8n$/.test(main) ? path.join(main, '../..') : undefined)

/** `n8n-workflow > @n8n/expression-runtime > dist/index.js`: a package, a package that it uses, and a file in that. */
function locate(root, place) {
  const packages = place.split(' > ')
  const file = packages.pop()
  const folder = packages.reduce(packageIn, root)
  return folder && real(path.join(folder, file))
}

const packageIn = (folder, name) =>
  folder && Module._nodeModulePaths(folder).map((each) => real(path.join(each, name))).find(Boolean)

const real = (file) => (fs.existsSync(file) ? fs.realpathSync(file) : undefined)
const hash = (file) => createHash('sha256').update(fs.readFileSync(file)).digest('hex')

/** Whether a patch is applied, and if not, why. */
function decide(name, root, verified) {
  const skip = (reason) => ({ name, state: 'skipped', reason })
  if (!verified[name]) return skip('no such patch')
  const files = new Map()
  for (const [place, change] of Object.entries(require(`./${name}.js`).modules)) {
    const file = locate(root, place)
    if (!file) return skip(`${place} is missing`)
    if (!verified[name].modules[place]?.includes(hash(file))) return skip(`${place} is not one it was verified on`)
    files.set(file, change)
  }
  return { name, state: 'applied', files }
}

/** Every requested patch with its decision; `off` switches all of them off. */
function decideAll(root, asked = process.env.N8N_TUNED_PATCHES ?? '') {
  const verified = JSON.parse(fs.readFileSync(path.join(__dirname, 'verified-n8n.json'), 'utf8'))
  if (asked === 'off') return Object.keys(verified).map((name) => ({ name, state: 'off' }))
  return asked.split(',').filter(Boolean).map((name) => decide(name, root, verified))
}

function tell(decisions) {
  const words = ({ name, reason }) => (reason ? `${name} (${reason})` : name)
  const list = (state) => decisions.filter((one) => one.state === state).map(words).join(', ')
  if (decisions.every(({ state }) => state === 'off')) return 'n8n-tuned: patches are off.'
  return `n8n-tuned: patches applied: ${list('applied') || 'none'}. Skipped: ${list('skipped') || 'none'}.`
}

/** A change has `edit(source)` or `wrap(exports, require)`, or neither if the patch only relies on the module. */
function apply(changes) {
  const compile = Module.prototype._compile
  Module.prototype._compile = function (source, file, ...rest) {
    const of = changes.filter((files) => files.has(file)).map((files) => files.get(file))
    const edited = of.reduce((text, { edit }) => (edit ? edit(text) : text), source)
    const compiled = compile.call(this, edited, file, ...rest)
    for (const { wrap } of of) wrap?.(this.exports, Module.createRequire(file))
    return compiled
  }
}

/** The text of a file that n8n reads without requiring it: a change with `read(text)`. */
function applyToText(changes) {
  const readers = changes.flatMap((files) => [...files]).filter(([, { read }]) => read)
  if (readers.length === 0) return
  const changed = (file, content) => {
    if (typeof content !== 'string') return content
    return readers.filter(([one]) => one === String(file)).reduce((text, [, { read }]) => read(text), content)
  }
  const { readFileSync } = fs
  const { readFile } = fs.promises
  fs.readFileSync = (file, ...rest) => changed(file, readFileSync(file, ...rest))
  fs.promises.readFile = async (file, ...rest) => changed(file, await readFile(file, ...rest))
}

function begin(root) {
  let decisions
  try {
    decisions = decideAll(root)
  } catch (error) {
    return void process.stderr.write(`n8n-tuned: no patch is applied: ${error.message}\n`)
  }
  process.stderr.write(`${tell(decisions)}\n`)
  const changes = decisions.flatMap(({ files }) => files ?? [])
  const metrics = new Map([[locate(root, 'prom-client > index.js'), { wrap: (client) => show(client, decisions) }]])
  apply([...changes, metrics])
  applyToText(changes)
}

module.exports = { begin, decideAll, hash, locate, rootOf, tell }

// NODE_OPTIONS reaches every Node program of the container and n8n's threads. Only n8n itself gets patches; PM2 loads
// it late, as its main module.
if (isMainThread && require.main !== module) {
  const load = Module._load
  Module._load = function (request, parent, isMain) {
    const root = isMain && rootOf(real(request) ?? request)
    if (root) {
      Module._load = load
      begin(root)
    }
    return load.apply(this, arguments)
  }
}
