// n8n's database layer looks for names of properties in all of the text of every query, and puts those of their columns
// there. An execution makes the same dozen of queries each time: here what one became is kept.
const Module = require('module')

const compile = Module.prototype._compile

Module.prototype._compile = function (source, file, ...rest) {
  const compiled = compile.call(this, source, file, ...rest)
  if (builder.test(file)) namesAreKnown(this.exports.QueryBuilder?.prototype ?? {})
  return compiled
}

const builder = /[\\/]@n8n[\\/]typeorm[\\/](dist[\\/])?query-builder[\\/]QueryBuilder\.js$/

/** No more queries than that are kept, nor longer ones: those with a list of values are another text each time. */
const most = 500
const longest = 8192

function namesAreKnown(prototype) {
  const { replacePropertyNamesForTheWholeQuery: replace } = prototype
  if (!replace) return
  const known = new Map()
  prototype.replacePropertyNamesForTheWholeQuery = function (query) {
    if (query.length > longest) return replace.call(this, query)
    const asked = `${whose(this)}\n${query}`
    if (!known.has(asked)) {
      if (known.size === most) known.clear()
      known.set(asked, replace.call(this, query))
    }
    return known.get(asked)
  }
}

/** What the names in a query mean: which tables it has, under which names. */
function whose({ connection, expressionMap: { aliases, aliasNamePrefixingEnabled } }) {
  const tables = aliases.filter(({ hasMetadata }) => hasMetadata).map(({ name, metadata }) => `${numberOf(metadata)} ${name}`)
  return [numberOf(connection), aliasNamePrefixingEnabled, ...tables].join('\n')
}

const numbers = new WeakMap()
let last = 0

function numberOf(object) {
  if (!numbers.has(object)) numbers.set(object, ++last)
  return numbers.get(object)
}
