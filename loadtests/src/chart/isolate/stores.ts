import { isMap, valueAt } from '../../lib/values.ts'
import { dropValue, dropGiven, isGiven, nothing, put, textAt, type IsolatedDraft } from './draft.ts'
import type { Where } from './where.ts'

/** The run's own PostgreSQL, Redis and volumes in place of those that the values name. */
export function ownStores({ values, aside }: IsolatedDraft, where: Where): void {
  ownDatabase({ values, aside }, where)
  ownRedis({ values, aside }, where)
  const secrets = ['encryptionKey', 'database.password', 'redis.password', 'runner.token'].map(
    (path) => `${path}.existingSecret`,
  )
  const named = secrets.filter((path) => textAt(values, `${path}.name`) !== '')
  for (const path of named) dropValue(values, path)
  if (named.length) aside(named, 'made-up secrets', nothing)
  ownVolumes({ values, aside })
}

function ownDatabase({ values, aside }: IsolatedDraft, { images }: Where): void {
  const database = valueAt(values, 'database')
  if (!isMap(database) || database.type !== 'external') return
  const { poolSize, maxConnections, embedded } = database
  const version = textAt(values, 'database.embedded.image.tag') || '15'
  const byTls = isGiven(valueAt(values, 'database.tls.enabled')) ? ' by TLS' : ''
  aside(
    `database at ${textAt(values, 'database.host')}${byTls}`,
    images === 'pulled' ? `a new database in PostgreSQL ${version}` : 'a new database in this machine’s PostgreSQL',
    'Round trips are shorter and tables are empty. The release of PostgreSQL, its disk and its memory may differ',
  )
  values.database = {
    type: 'embedded',
    ...(poolSize !== undefined && { poolSize }),
    ...(maxConnections !== undefined && { maxConnections }),
    ...(embedded !== undefined && { embedded }),
  }
  // It stood beside a database that existed.
  if (textAt(values, 'encryptionKey.value')) {
    dropValue(values, 'encryptionKey.value')
    aside('encryptionKey.value', 'made-up secrets', nothing)
  }
}

function ownRedis({ values, aside }: IsolatedDraft, { images }: Where): void {
  const redis = valueAt(values, 'redis')
  if (!isMap(redis) || redis.type !== 'external') return
  const { prefix, embedded, clusterNodes } = redis
  const isCluster = Array.isArray(clusterNodes) && clusterNodes.length > 0
  const version = textAt(values, 'redis.embedded.image.tag') || '7.0'
  aside(
    `redis at ${isCluster ? clusterNodes.join(', ') : textAt(values, 'redis.host')}`
      + (isGiven(valueAt(values, 'redis.tls.enabled')) ? ' by TLS' : ''),
    images === 'pulled' ? `a new Redis ${version}` : 'a new Redis of this machine’s release',
    `Round trips are shorter. The release of Redis and its memory may differ${isCluster ? '. It is no cluster' : ''}`,
  )
  values.redis = {
    type: 'embedded',
    ...(prefix !== undefined && { prefix }),
    ...(embedded !== undefined && { embedded }),
  }
}

/** A claim of production is never mounted, and its storage class may not exist here. */
function ownVolumes({ values, aside }: IsolatedDraft): void {
  const claims = dropGiven(values, ['persistence.existingClaim'])
  if (claims.length) {
    dropValue(values, 'persistence.subPath')
    aside(claims, 'a new volume', 'n8n begins without your data')
  }
  const classes = dropGiven(
    values,
    ['persistence', 'database.embedded.persistence', 'redis.embedded.persistence'].map(
      (path) => `${path}.storageClass`,
    ),
  )
  if (classes.length) aside(classes, 'the default class', 'The disk may be faster or slower')
  const modes = valueAt(values, 'persistence.accessModes')
  if (Array.isArray(modes) && (modes.length !== 1 || modes[0] !== 'ReadWriteOnce')) {
    put(values, 'persistence.accessModes', ['ReadWriteOnce'])
    aside(`persistence.accessModes ${modes.join(', ')}`, 'ReadWriteOnce', nothing)
  }
}
