// Each time n8n's database layer takes a connection to PostgreSQL out of its pool, it tells it its schema and how long a
// statement may take, in two statements of their own, before the one it was taken for. A connection keeps what it is told:
// here each is told once.
const Module = require('module')

const compile = Module.prototype._compile

Module.prototype._compile = function (source, file, ...rest) {
  const compiled = compile.call(this, source, file, ...rest)
  if (driver.test(file)) toldOnce(this.exports.PostgresDriver?.prototype ?? {})
  return compiled
}

const driver = /[\\/]@n8n[\\/]typeorm[\\/]dist[\\/]driver[\\/]postgres[\\/]PostgresDriver\.js$/

function toldOnce(prototype) {
  const { obtainMasterConnection } = prototype
  if (!String(obtainMasterConnection).includes('this.master.connect()')) return
  const told = new WeakSet()
  prototype.obtainMasterConnection = async function () {
    if (!this.master) return obtainMasterConnection.call(this)
    const connection = await this.master.connect()
    if (told.has(connection)) return [connection, () => connection.release()]
    const obtained = await obtainMasterConnection.call(Object.create(this, { master: { value: { connect: async () => connection } } }))
    told.add(connection)
    return obtained
  }
}
