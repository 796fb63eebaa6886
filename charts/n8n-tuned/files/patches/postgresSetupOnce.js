// Each time n8n takes a connection to PostgreSQL out of its pool, it sets the schema and the time limit of statements,
// with one statement each. A connection keeps both. With this patch each connection gets them once.
exports.modules = {
  '@n8n/typeorm > dist/driver/postgres/PostgresDriver.js': {
    wrap({ PostgresDriver: { prototype } }) {
      const { obtainMasterConnection } = prototype
      const ready = new WeakSet()
      prototype.obtainMasterConnection = async function () {
        if (!this.master) return obtainMasterConnection.call(this)
        const connection = await this.master.connect()
        if (ready.has(connection)) return [connection, () => connection.release()]
        const ours = Object.create(this, { master: { value: { connect: async () => connection } } })
        const obtained = await obtainMasterConnection.call(ours)
        ready.add(connection)
        return obtained
      }
    },
  },
}
