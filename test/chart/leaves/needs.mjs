/** What it takes for whole branches to matter. */
export const queue = { 'executions.mode': 'queue', 'database.type': 'embedded' }
export const external = {
  'executions.mode': 'queue',
  'database.type': 'external',
  'database.host': 'db',
  'database.password.existingSecret.name': 'db',
  'encryptionKey.existingSecret.name': 'key',
  'redis.type': 'external',
  'redis.host': 'redis',
}
export const scaled = (by) => ({ ...queue, 'worker.autoscaling.by': by })
export const monitored = (what) => ({ 'monitoring.enabled': true, [`monitoring.${what}.enabled`]: true })
export const stuck = { ...queue, 'monitoring.enabled': true, 'monitoring.stuckExecutions.enabled': true }
export const indexed = { ...queue, 'database.indexes.executionList': true }
export const standing = { ...queue, 'worker.restartStanding.enabled': true }
export const backups = { 'backup.enabled': true }
export const sidecar = { 'runner.mode': 'external' }
export const s3 = { 'binaryData.mode': 's3', 'binaryData.s3.bucket': 'a' }
export const s3Key = { ...s3, 'binaryData.s3.existingSecret.name': 'a' }
export const mail = { 'smtp.host': 'a', 'smtp.sender': 'a' }
export const login = { ...mail, 'smtp.user': 'a', 'smtp.existingSecret.name': 'a' }
export const oidc = {
  'sso.oidc.discoveryUrl': 'https://a',
  'sso.oidc.clientId': 'a',
  'sso.oidc.existingSecret.name': 'a',
}
export const owner = { 'owner.email': 'a@a', 'owner.existingSecret.name': 'a' }
export const webhooks = { 'ingress.webhooks.host': 'a' }
export const clientCertificate = { ...external, 'database.tls.enabled': true, 'database.tls.clientSecret.name': 'a' }
export const gateway = { 'gateway.enabled': true, 'gateway.host': 'a', 'gateway.parentRefs': [{ name: 'a' }] }
export const digest = `sha256:${'0'.repeat(64)}`
export const routes = { ...gateway, 'gateway.webhooks.host': 'b' }
export const backing = (name) =>
  Object.fromEntries(
    Object.entries({
      'image.repository': 'a',
      'image.tag': '1',
      'image.digest': digest,
      'persistence.enabled': false,
      'persistence.size': '7Gi',
      'persistence.storageClass': 'a',
      'resources.requests.cpu': '90m',
      'resources.requests.memory': '64Mi',
      'resources.limits.cpu': '3',
      'resources.limits.memory': '1Gi',
      'podSecurityContext.runAsNonRoot': false,
      'podSecurityContext.runAsUser': 7,
      'podSecurityContext.runAsGroup': 7,
      'podSecurityContext.fsGroup': 7,
      'podSecurityContext.fsGroupChangePolicy': 'Always',
      'podSecurityContext.seccompProfile.type': 'Unconfined',
      nodeSelector: { a: 'b' },
      tolerations: [{ operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      podAnnotations: { a: 'b' },
      podLabels: { a: 'b' },
      priorityClassName: 'a',
    }).map(([path, value]) => [`${name}.embedded.${path}`, [value, queue]]),
  )
export const resources = (role, needs) => ({
  [`${role}.resources.requests.cpu`]: ['90m', needs],
  [`${role}.resources.requests.memory`]: ['96Mi', needs],
  [`${role}.resources.limits.cpu`]: ['2', needs],
  [`${role}.resources.limits.memory`]: ['4Gi', needs],
})
