// A quarter of what n8n loads at its start are libraries of its assistants, agents, MCP and tracing, which most installations
// never ask for anything. Here each of their modules is loaded when somebody first does.
const Module = require('module')

const lazily = [
  '@langchain/core', '@langchain/langgraph', 'langchain', 'langsmith',
  '@modelcontextprotocol/sdk',
  '@n8n/agents', '@n8n/ai-utilities', '@n8n/ai-workflow-builder', '@n8n/instance-ai', '@n8n/workflow-sdk',
  '@opentelemetry/exporter-trace-otlp-proto', '@opentelemetry/resources', '@opentelemetry/sdk-node', '@opentelemetry/sdk-trace-base', '@opentelemetry/sdk-trace-node',
].join('|')
const isOneOf = new RegExp(`^(${lazily})(/|$)`)
const isWithin = new RegExp(`[\\\\/]node_modules[\\\\/](${lazily})[\\\\/](?!.*[\\\\/]node_modules[\\\\/])`)

const load = Module._load

Module._load = function (request, parent, ...rest) {
  const isLazy = isOneOf.test(request) || (request.startsWith('.') && isWithin.test(parent?.filename))
  if (!isLazy) return load.call(this, request, parent, ...rest)
  const file = Module._resolveFilename(request, parent)
  return /\.c?js$/.test(file) && !Module._cache[file] ? whenAsked(() => load.call(this, request, parent, ...rest)) : load.call(this, request, parent, ...rest)
}

/** What the module exports, which is an object with all of these. */
function whenAsked(load) {
  let module
  const loaded = () => (module ??= load())
  return new Proxy({}, {
    get: (_, name) => loaded()[name],
    set: (_, name, value) => Reflect.set(loaded(), name, value),
    has: (_, name) => name in loaded(),
    ownKeys: () => Reflect.ownKeys(loaded()),
    getOwnPropertyDescriptor(_, name) {
      const own = Reflect.getOwnPropertyDescriptor(loaded(), name)
      return own && { ...own, configurable: true }
    },
  })
}
