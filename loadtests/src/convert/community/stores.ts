import { valueAt } from '../../lib/values.ts'
import { dropBundledRedis } from '../parts.ts'
import { both, byHand, drop, dropped, isOn, joined, on, to, under, variable, variablesUnder, when } from '../rules.ts'
import type { Rules } from '../rules.ts'
import { isEmpty } from '../values.ts'
import { bundledPostgresql, externalPostgresql, externalRedis, communityPostgresql, s3 } from './asked.ts'

const certificate = 'Put it into a Secret, and name that in database.tls'
const stays = 'Of the PostgreSQL that their release brings, which stays as it is until you move its data: docs/move.md.'
const minio = 'It stays while the old release does: name it in N8N_EXTERNAL_STORAGE_S3_HOST, and move the bucket later.'

/** The community chart’s values for n8n's stores: database, queue and files. */
export const stores: Rules = {
  'db.type': variable('DB_TYPE'),
  'db.tablePrefix': variable('DB_TABLE_PREFIX'),
  ...under(
    'db.postgresdb',
    {
      poolSize: (key) => {
        if (Number(key.value) > 2) key.set('database.poolSize', Number(key.value))
        else key.drop('It is their default. tuning.settings.databasePool decides: 5 for each process.')
      },
      schema: to('database.schema'),
      'ssl.enabled': to('database.tls.enabled'),
    },
    communityPostgresql,
  ),
  ...variablesUnder(
    'db.postgresdb',
    {
      connectionTimeout: 'DB_POSTGRESDB_CONNECTION_TIMEOUT',
      idleConnectionTimeout: 'DB_POSTGRESDB_IDLE_CONNECTION_TIMEOUT',
    },
    communityPostgresql,
  ),
  ...under(
    'db.postgresdb.ssl',
    {
      rejectUnauthorized: to('database.tls.verify'),
      existingCertificateAuthorityFileSecret: (key) => {
        if (!key.at('name').isEmpty)
          key.set('database.tls.caSecret', { name: key.at('name').value, key: key.at('key').value ?? 'ca.crt' })
        else key.drop('It names no Secret.')
      },
      base64EncodedCertificateAuthorityFile: byHand(`${certificate}.caSecret.`),
      base64EncodedCertFile: byHand(`${certificate}.clientSecret.`),
      base64EncodedPrivateKeyFile: byHand(`${certificate}.clientSecret.`),
      existingCertFileSecret: (key) => {
        const privateKey = valueAt(key.all, 'db.postgresdb.ssl.existingPrivateKeyFileSecret')
        const name = key.at('name')
        if (name.isEmpty) key.drop('It names no Secret.')
        else if (name.value === valueAt(privateKey, 'name'))
          key.set('database.tls.clientSecret', {
            name: name.value,
            certificate: key.at('key').value ?? 'cert.crt',
            privateKey: valueAt(privateKey, 'key') ?? 'cert.key',
          })
        else key.refuse('Put certificate and key into one Secret, and name it in database.tls.clientSecret.')
      },
      existingPrivateKeyFileSecret: (key) => {
        if (key.at('name').isEmpty) key.drop('It names no Secret.')
        else if (key.draft.get('database.tls.clientSecret')) key.leadsTo('database.tls.clientSecret')
        else key.refuse('Put certificate and key into one Secret, and name it in database.tls.clientSecret.')
      },
    },
    both(communityPostgresql, on('db.postgresdb.ssl.enabled')),
  ),
  'db.sqlite.vacuum': variable('DB_SQLITE_VACUUM_ON_STARTUP'),
  ...dropped('The file is in n8n’s folder, under n8n’s own name.', 'db.sqlite.database'),
  'db.sqlite.poolSize': (key) => {
    if (Number(key.value) > 0) variable('DB_SQLITE_POOL_SIZE')(key)
    else key.drop('It is n8n’s default.')
  },
  'db.logging.enabled': variable('DB_LOGGING_ENABLED'),
  ...variablesUnder(
    'db.logging',
    { options: 'DB_LOGGING_OPTIONS', maxQueryExecutionTime: 'DB_LOGGING_MAX_EXECUTION_TIME' },
    on('db.logging.enabled'),
  ),
  ...under(
    'externalPostgresql',
    {
      host: to('database.host'),
      port: to('database.port'),
      database: to('database.name'),
      username: to('database.user'),
      password: (key) => {
        if (isEmpty(valueAt(key.all, 'externalPostgresql.existingSecret'))) variable('DB_POSTGRESDB_PASSWORD')(key)
        else key.drop('externalPostgresql.existingSecret has it.')
      },
      existingSecret: (key) => {
        if (key.isEmpty) return
        const named = valueAt(key.all, 'externalPostgresql.existingSecretPasswordKey')
        const inOther = valueAt(key.all, 'postgresql.auth.username') ? 'password' : 'postgres-password'
        key.set('database.password.existingSecret', { name: key.value, key: named || inOther })
      },
      existingSecretPasswordKey: (key) => {
        if (!key.isEmpty) key.leadsTo('database.password.existingSecret.key')
      },
    },
    externalPostgresql,
  ),
  'postgresql.enabled': when(communityPostgresql, isOn),
  postgresql: when(bundledPostgresql, drop(stays)),
  ...under(
    'externalRedis',
    {
      host: variable('QUEUE_BULL_REDIS_HOST'),
      port: to('redis.port'),
      database: to('redis.db'),
      username: to('redis.username'),
      password: (key) => {
        if (isEmpty(valueAt(key.all, 'externalRedis.existingSecret'))) variable('QUEUE_BULL_REDIS_PASSWORD')(key)
        else key.drop('externalRedis.existingSecret has it.')
      },
      existingSecret: (key) => {
        if (key.isEmpty) return
        const named = valueAt(key.all, 'externalRedis.existingPasswordKey') || 'redis-password'
        key.set('redis.password.existingSecret', { name: key.value, key: named })
      },
      existingPasswordKey: (key) => {
        if (!key.isEmpty) key.leadsTo('redis.password.existingSecret.key')
      },
      existingUsernameKey: byHand('Write the user’s name in redis.username, which takes text.'),
      'tls.enabled': to('redis.tls.enabled'),
      dualStack: variable('QUEUE_BULL_REDIS_DUALSTACK'),
      clusterNodes: (key) => {
        const nodes = key.each().map((node) => `${node.at('host').value}:${node.at('port').value ?? 6379}`)
        if (nodes.length > 0) variable('QUEUE_BULL_REDIS_CLUSTER_NODES')(key.as(nodes.join(',')))
      },
    },
    externalRedis,
  ),
  redis: dropBundledRedis,
  'binaryData.mode': variable('N8N_DEFAULT_BINARY_DATA_MODE'),
  'binaryData.availableModes': joined('N8N_AVAILABLE_BINARY_DATA_MODES'),
  'binaryData.localStoragePath': variable('N8N_BINARY_DATA_STORAGE_PATH'),
  ...variablesUnder(
    'binaryData.s3',
    {
      host: 'N8N_EXTERNAL_STORAGE_S3_HOST',
      bucketName: 'N8N_EXTERNAL_STORAGE_S3_BUCKET_NAME',
      bucketRegion: 'N8N_EXTERNAL_STORAGE_S3_BUCKET_REGION',
      accessKey: 'N8N_EXTERNAL_STORAGE_S3_ACCESS_KEY',
      accessSecret: 'N8N_EXTERNAL_STORAGE_S3_ACCESS_SECRET',
    },
    s3,
  ),
  'binaryData.s3.existingSecret': when(s3, (key) => {
    if (key.isEmpty) return
    const reference = (name: string) => key.as({ valueFrom: { secretKeyRef: { name: key.value, key: name } } })
    variable('N8N_EXTERNAL_STORAGE_S3_ACCESS_KEY')(reference('access-key-id'))
    variable('N8N_EXTERNAL_STORAGE_S3_ACCESS_SECRET')(reference('secret-access-key'))
  }),
  'minio.enabled': byHand(minio),
  minio: when(on('minio.enabled'), drop('Of the MinIO that their release brings: see minio.enabled.')),
}
