import type { Values } from '../../profile/experiment.ts'
import { at, isEmpty, isMap } from '../draft.ts'
import {
  byHand,
  ignored,
  joined,
  nothing,
  to,
  under,
  variable,
  variablesUnder,
  type Rule,
  type Rules,
} from '../rules.ts'
import { externalPostgresql, externalRedis, postgresql, s3 } from './asked.ts'

/** One of their passwords: in a Secret that they name, or as text. */
const password =
  (existing: string, key: (all: Values) => unknown, name: string): Rule =>
  (value, draft, all, path) => {
    const secret = at(all, existing)
    const text = isEmpty(value) ? undefined : value
    variable(name)(
      isEmpty(secret) ? text : { valueFrom: { secretKeyRef: { name: secret, key: key(all) } } },
      draft,
      all,
      path,
    )
  }

const databasePassword = password(
  'externalPostgresql.existingSecret',
  (all) =>
    at(all, 'externalPostgresql.existingSecretPasswordKey')
    || (at(all, 'postgresql.auth.username') ? 'password' : 'postgres-password'),
  'DB_POSTGRESDB_PASSWORD',
)
const redisPassword = password(
  'externalRedis.existingSecret',
  (all) => at(all, 'externalRedis.existingPasswordKey') || 'redis-password',
  'QUEUE_BULL_REDIS_PASSWORD',
)

/** The community chart’s values for n8n's stores: database, queue and files. */
export const stores: Rules = {
  'db.type': variable('DB_TYPE'),
  'db.tablePrefix': variable('DB_TABLE_PREFIX'),
  ...under(
    'db.postgresdb',
    { poolSize: nothing, schema: to('database.schema'), 'ssl.enabled': to('database.tls.enabled') },
    postgresql,
  ),
  ...variablesUnder(
    'db.postgresdb',
    {
      connectionTimeout: 'DB_POSTGRESDB_CONNECTION_TIMEOUT',
      idleConnectionTimeout: 'DB_POSTGRESDB_IDLE_CONNECTION_TIMEOUT',
    },
    postgresql,
  ),
  ...under(
    'db.postgresdb.ssl',
    {
      rejectUnauthorized: to('database.tls.verify'),
      existingCertificateAuthorityFileSecret: (value, draft) => {
        if (isMap(value) && !isEmpty(value.name))
          draft.set('database.tls.caSecret', { name: value.name, key: value.key ?? 'ca.crt' })
      },
      base64EncodedCertificateAuthorityFile: byHand('Put it into a Secret, and name that in database.tls.caSecret.'),
      existingCertFileSecret: (value, draft, all, path) => {
        const [own, key] = [value, at(all, 'db.postgresdb.ssl.existingPrivateKeyFileSecret')]
        if (isEmpty(at(own, 'name'))) return
        const clientSecret = {
          name: at(own, 'name'),
          certificate: at(own, 'key') ?? 'cert.crt',
          privateKey: at(key, 'key') ?? 'cert.key',
        }
        if (at(own, 'name') === at(key, 'name')) draft.set('database.tls.clientSecret', clientSecret)
        else draft.note('left', path, 'Put both into one Secret, and name it in database.tls.clientSecret.')
      },
      existingPrivateKeyFileSecret: nothing,
    },
    postgresql,
  ),
  'db.sqlite.vacuum': variable('DB_SQLITE_VACUUM_ON_STARTUP'),
  'db.logging.enabled': variable('DB_LOGGING_ENABLED'),
  db: nothing,
  ...under(
    'externalPostgresql',
    {
      host: to('database.host'),
      port: to('database.port'),
      database: to('database.name'),
      username: to('database.user'),
      password: databasePassword,
    },
    externalPostgresql,
  ),
  ...ignored('externalPostgresql', 'postgresql'),
  ...under(
    'externalRedis',
    {
      host: variable('QUEUE_BULL_REDIS_HOST'),
      port: to('redis.port'),
      database: to('redis.db'),
      username: to('redis.username'),
      password: redisPassword,
      'tls.enabled': to('redis.tls.enabled'),
      dualStack: variable('QUEUE_BULL_REDIS_DUALSTACK'),
      clusterNodes: (value, draft, all, path) => {
        const nodes = (Array.isArray(value) ? value : []) as { host: string; port: number }[]
        variable('QUEUE_BULL_REDIS_CLUSTER_NODES')(
          nodes.map(({ host, port }) => `${host}:${port}`).join(','),
          draft,
          all,
          path,
        )
      },
    },
    externalRedis,
  ),
  ...ignored('externalRedis', 'redis'),
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
  ...under(
    'binaryData.s3',
    {
      existingSecret: (value, draft, all, path) => {
        if (isEmpty(value)) return
        const reference = (key: string) => ({ valueFrom: { secretKeyRef: { name: value, key } } })
        variable('N8N_EXTERNAL_STORAGE_S3_ACCESS_KEY')(reference('access-key-id'), draft, all, path)
        variable('N8N_EXTERNAL_STORAGE_S3_ACCESS_SECRET')(reference('secret-access-key'), draft, all, path)
      },
    },
    s3,
  ),
  ...ignored('binaryData.s3'),
  'minio.enabled': byHand(
    'It stays while the old release does: name it in N8N_EXTERNAL_STORAGE_S3_HOST, and move the bucket later.',
  ),
  minio: nothing,
}
