// n8n's database layer puts the sqlite3 driver into its debugging mode: for every query it notes the
// stack and prints the arguments, in case that query fails. One that fails still says why.
const Module = require('module')

const load = Module._load

Module._load = function (request, ...rest) {
  const loaded = load.call(this, request, ...rest)
  if (request === 'sqlite3') loaded.verbose = () => loaded
  return loaded
}
