// n8n 1 takes an isolate for every webhook and another one for its execution, whether they evaluate an expression or not, and
// compiles its runtime of expressions for each of them. Here the first expression takes one, the runtime is compiled once, and
// what a webhook asks of its own parameters is read from them, as later releases do. An n8n that has other classes is left as it is.
const fs = require('fs')
const Module = require('module')
const path = require('path')

const load = Module._load
const ofWebhooks = /[\\/]nodes[\\/]Webhook[\\/]description\.js$/
const mended = new Set()

Module._load = function (request, parent, ...rest) {
  const loaded = load.call(this, request, parent, ...rest)
  if (request === '@n8n/expression-runtime') once(loaded.ExpressionEvaluator, () => takeLate(loaded, Module._resolveFilename(request, parent)))
  if (request === 'n8n-workflow') once(loaded.Expression, readParameters)
  if (request === './utils' && ofWebhooks.test(parent?.filename)) once(loaded, learn)
  return loaded
}

/** What is loaded in a circle has nothing yet when it is asked for first. */
function once(subject, mend) {
  if (!subject || mended.has(subject)) return
  mended.add(subject)
  mend(subject)
}

function takeLate({ ExpressionEvaluator: { prototype: evaluator }, IsolatedVmBridge: { prototype: bridge } }, file) {
  const { getBridge, release } = evaluator
  const runtime = path.join(file, '../../bundle/runtime.iife.js')
  const errorHandler = evaluatedBy(bridge.injectErrorHandler)
  const fits = evaluator.acquire && getBridge && release && bridge.loadVendorLibraries && !bridge.initializeSync && errorHandler && fs.existsSync(runtime)
  if (!fits) return
  const source = fs.readFileSync(runtime, 'utf-8')
  const mayTake = new WeakSet()
  let compiled

  evaluator.acquire = async function (caller) {
    if (mayTake.has(caller)) return false
    mayTake.add(caller)
    return true
  }

  evaluator.getBridge = function (caller) {
    if (mayTake.has(caller) && !this.bridgesByCaller.has(caller)) this.bridgesByCaller.set(caller, take(this))
    return getBridge.call(this, caller)
  }

  evaluator.release = function (caller) {
    mayTake.delete(caller)
    return release.call(this, caller)
  }

  bridge.loadVendorLibraries = async function () {
    await keep(await this.isolate.compileScript(source, cache())).run(this.context)
  }

  function take({ pool, config }) {
    try {
      return pool.acquire()
    } catch (error) {
      if (error.name !== 'PoolExhaustedError') throw error
      return make(config.createBridge())
    }
  }

  /** As its `initialize` does, which an expression cannot wait for. */
  function make(made) {
    try {
      made.context = made.isolate.createContextSync()
      made.context.global.setSync('global', made.context.global.derefInto())
      keep(made.isolate.compileScriptSync(source, cache())).runSync(made.context)
      made.context.evalSync(errorHandler)
      made.initialized = true
      return made
    } catch (error) {
      void made.dispose()
      throw error
    }
  }

  function cache() {
    return compiled ? { cachedData: compiled } : { produceCachedData: true }
  }

  function keep(script) {
    compiled ??= script.cachedData
    return script
  }
}

/** What a method of the bridge has its isolate evaluate first; nothing where it is another method. */
function evaluatedBy(method) {
  let source
  const call = async () => method.call({ context: { eval: async (code) => void (source = code) }, logger: { debug() {} } })
  call().catch(() => {})
  return source
}

function readParameters({ prototype }) {
  for (const name of ['getSimpleParameterValue', 'getComplexParameterValue']) {
    const evaluate = prototype[name]
    if (!evaluate) return
    prototype[name] = function (node, value, ...rest) {
      const read = typeof value === 'string' && readerOf(value)
      const parameters = read && this.workflow.nodes[node.name]?.parameters
      return parameters && !isDynamic(parameters) ? read(parameters) : evaluate.call(this, node, value, ...rest)
    }
  }
}

/** The expressions that are functions of the webhook's parameters, as its description writes them. */
const functions = new Map()

function learn(utils) {
  for (const named of Object.values(utils)) functions.set(`={{(${named})($parameter)}}`, named)
}

/** `={{$parameter["options"]["responseHeaders"]}}`, some with `|| "GET"`. */
const reading = /^=\{\{\$parameter((?:\["\w+"\])+)(?: \|\| "(\w+)")?\}\}$/

function readerOf(expression) {
  const [, names, otherwise] = reading.exec(expression) ?? []
  if (!names) return functions.get(expression)
  const read = (parameters) => names.match(/\w+/g).reduce((value, name) => (value && Object.hasOwn(value, name) ? value[name] : undefined), parameters)
  return otherwise ? (parameters) => read(parameters) || otherwise : read
}

/** Whether n8n would evaluate or unwrap any of it. */
function isDynamic(value) {
  if (typeof value === 'string') return value.startsWith('=')
  return value !== null && typeof value === 'object' && ('__rl' in value || Object.values(value).some(isDynamic))
}
