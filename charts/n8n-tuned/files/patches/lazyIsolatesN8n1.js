// n8n 1 takes an isolate for every webhook and one for its execution, with or without expressions, and
// compiles their runtime each time. Here the first expression takes one, the runtime is compiled once, and what a
// webhook asks of its own parameters is read from them, as later releases do.
const fs = require('fs')

const runtime = 'n8n-workflow > @n8n/expression-runtime > dist/'

/** From n8n, whose later releases do this themselves. */
exports.line = '1.'
exports.modules = {
  [`${runtime}bundle/runtime.iife.js`]: {},
  [`${runtime}cjs/pool/isolate-pool.js`]: {},
  [`${runtime}cjs/bridge/isolated-vm-bridge.js`]: {},
  [`${runtime}cjs/evaluator/expression-evaluator.js`]: {
    wrap({ ExpressionEvaluator }, require) {
      const { IsolatedVmBridge } = require('../bridge/isolated-vm-bridge')
      const file = require.resolve('../../bundle/runtime.iife.js')
      takeOnFirstUse(ExpressionEvaluator.prototype, IsolatedVmBridge.prototype, file)
    },
  },
  'n8n-workflow > dist/cjs/expression.js': { wrap: ({ Expression }) => readParameters(Expression.prototype) },
  'n8n-nodes-base > dist/nodes/Webhook/utils.js': { wrap: learn },
}

function takeOnFirstUse(evaluator, bridge, file) {
  const { getBridge, release } = evaluator
  const source = fs.readFileSync(file, 'utf-8')
  const errorHandler = evaluatedBy(bridge.injectErrorHandler)
  const mayTake = new WeakSet()
  let compiled
  const cache = () => (compiled ? { cachedData: compiled } : { produceCachedData: true })
  const keep = (script) => {
    compiled ??= script.cachedData
    return script
  }

  evaluator.acquire = async (caller) => !mayTake.has(caller) && Boolean(mayTake.add(caller))
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

  /** As its `initialize` does; an expression cannot wait for that one. */
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
}

/** The code that a method of the bridge evaluates in its isolate. */
function evaluatedBy(method) {
  let source
  method.call({ context: { eval: async (code) => void (source = code) }, logger: { debug() {} } }).catch(() => {})
  return source
}

/** Expressions of the webhook's parameters, as the node's description writes them, as functions. */
const functions = new Map()

function learn(utils) {
  for (const named of Object.values(utils)) functions.set(`={{(${named})($parameter)}}`, named)
}

function readParameters(prototype) {
  for (const name of ['getSimpleParameterValue', 'getComplexParameterValue']) {
    const evaluate = prototype[name]
    prototype[name] = function (node, value, ...rest) {
      const read = typeof value === 'string' && readerOf(value)
      const parameters = read && this.workflow.nodes[node.name]?.parameters
      return parameters && !isDynamic(parameters) ? read(parameters) : evaluate.call(this, node, value, ...rest)
    }
  }
}

/** `={{$parameter["options"]["responseHeaders"]}}`, some with `|| "GET"`. */
const reading = /^=\{\{\$parameter((?:\["\w+"\])+)(?: \|\| "(\w+)")?\}\}$/

function readerOf(expression) {
  const [, names, otherwise] = reading.exec(expression) ?? []
  if (!names) return functions.get(expression)
  const own = (value, name) => (value && Object.hasOwn(value, name) ? value[name] : undefined)
  const read = (parameters) => names.match(/\w+/g).reduce(own, parameters)
  return otherwise ? (parameters) => read(parameters) || otherwise : read
}

/** Whether n8n would evaluate or unwrap any of it. */
function isDynamic(value) {
  if (typeof value === 'string') return value.startsWith('=')
  return value !== null && typeof value === 'object' && ('__rl' in value || Object.values(value).some(isDynamic))
}
