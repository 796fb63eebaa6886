// From 2.33 on, n8n migrates PostgreSQL in one transaction. Each table that it changes stays locked until the last
// migration ends: old processes wait for it, or meet a deadlock and fail. With this patch each migration is a
// transaction of its own, as in earlier releases. n8n's lock still lets one process migrate at a time. If a migration
// fails, those before it stay, and n8n goes on from there when it starts again.
exports.line = '2.'
exports.modules = {
  '@n8n/db > dist/connection/db-connection.js': {
    edit: (source) => source
      // The lock keeps its connection, so migrations take one of their own. A pool of one has none.
      .replace(
        'new typeorm_1.MigrationExecutor(dataSource, tx.queryRunner)',
        'new typeorm_1.MigrationExecutor(dataSource, options.poolSize > 1 ? undefined : tx.queryRunner)',
      )
      .replace("migrationExecutor.transaction = 'none'", "migrationExecutor.transaction = 'each'"),
  },
  // How n8n's lock is held, and how a migration begins and ends.
  '@n8n/db > dist/services/db-lock.service.js': {},
  '@n8n/typeorm > dist/migration/MigrationExecutor.js': {},
}
