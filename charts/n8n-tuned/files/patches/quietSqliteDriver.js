// n8n's database layer puts the sqlite3 driver into its debugging mode: for every query it notes the stack and prints
// the arguments, in case that query fails. Without that mode a failed query still says why.
exports.modules = {
  '@n8n/typeorm > sqlite3 > lib/sqlite3.js': {
    wrap(sqlite3) {
      sqlite3.verbose = () => sqlite3
    },
  },
}
