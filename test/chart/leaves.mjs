// No value is dead: every leaf of values.yaml, changed, changes what is rendered.
// A leaf without an entry below fails too, so that a new value brings its own. And a value that
// no pod reads replaces no pod.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

const chart = process.argv[2]

/** What it takes for whole branches to matter. */
const queue = { 'executions.mode': 'queue', 'database.type': 'embedded' }
const external = {
  'executions.mode': 'queue',
  'database.type': 'external',
  'database.host': 'db',
  'database.password.existingSecret.name': 'db',
  'encryptionKey.existingSecret.name': 'key',
  'redis.type': 'external',
  'redis.host': 'redis',
}
const scaled = (by) => ({ ...queue, 'worker.autoscaling.by': by })
const monitored = (what) => ({ 'monitoring.enabled': true, [`monitoring.${what}.enabled`]: true })
const backups = { 'backup.enabled': true }
const sidecar = { 'runner.mode': 'external' }
const s3 = { 'binaryData.mode': 's3', 'binaryData.s3.bucket': 'a' }
const s3Key = { ...s3, 'binaryData.s3.existingSecret.name': 'a' }
const mail = { 'smtp.host': 'a', 'smtp.sender': 'a' }
const login = { ...mail, 'smtp.user': 'a', 'smtp.existingSecret.name': 'a' }
const oidc = { 'sso.oidc.discoveryUrl': 'https://a', 'sso.oidc.clientId': 'a', 'sso.oidc.existingSecret.name': 'a' }
const webhooks = { 'ingress.webhooks.host': 'a' }
const clientCertificate = { ...external, 'database.tls.enabled': true, 'database.tls.clientSecret.name': 'a' }
const gateway = { 'gateway.enabled': true, 'gateway.host': 'a', 'gateway.parentRefs': [{ name: 'a' }] }
const backing = (name) =>
  Object.fromEntries(
    Object.entries({
      'image.repository': 'a',
      'image.tag': '1',
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
    }).map(([path, value]) => [`${name}.embedded.${path}`, [value, queue]]),
  )
const resources = (role, needs) => ({
  [`${role}.resources.requests.cpu`]: ['90m', needs],
  [`${role}.resources.requests.memory`]: ['96Mi', needs],
  [`${role}.resources.limits.cpu`]: ['2', needs],
  [`${role}.resources.limits.memory`]: ['4Gi', needs],
})

/** For each leaf another value, what it takes for it to matter, and what has to change with it. */
const changes = {
  'image.repository': ['example.com/n8n'],
  'image.tag': ['1.123.81'],
  'image.version': ['1.123.81'],
  'image.digest': [`sha256:${'0'.repeat(64)}`],
  'image.pullPolicy': ['Always'],
  'image.pullSecrets': [[{ name: 'a' }]],
  nameOverride: ['a'],
  fullnameOverride: ['a'],
  commonLabels: [{ a: 'b' }],
  commonAnnotations: [{ a: 'b' }],
  extraObjects: [[{ kind: 'ConfigMap', metadata: { name: 'a' } }]],
  'executions.process': ['own', { 'image.tag': '0.221.2' }],
  'tuning.tier': ['n8n-defaults'],
  'tuning.trustEditors': [true],
  'tuning.settings.lazyIsolates': [false],
  'tuning.settings.isolateCompileCache': [false],
  'tuning.settings.heapFromLimit': [false],
  'tuning.settings.databasePool': [false, queue],
  'tuning.settings.keepFinishedJobs': [false, queue],
  'tuning.settings.waitForRedis': [false, queue],
  'tuning.settings.discardSuccess': [true],
  'tuning.settings.noStatistics': [true],
  'tuning.settings.noInsights': [true],
  'tuning.patches.fastIsolates': [true],
  'tuning.patches.fewerQueries': [true],
  'tuning.patches.quietSqliteDriver': [true],
  'tuning.patches.refuseExcessWebhooks': [true],
  'tuning.patches.lazyIsolatesN8n1': [true, { 'image.tag': '1.123.81' }],
  'tuning.patches.postgresSetupOnce': [true, queue],
  'executions.mode': ['queue', { 'database.type': 'embedded' }],
  'role.heap.percent': [80],
  'role.heap.reserve': [200],
  'role.heap.megabytes': [300],
  'role.extraEnv': [{ A: 1 }],
  'role.extraEnvFrom': [[{ secretRef: { name: 'a' } }]],
  'role.extraVolumes': [[{ name: 'a', emptyDir: {} }]],
  'role.extraVolumeMounts': [[{ name: 'a', mountPath: '/a' }]],
  'role.podAnnotations': [{ a: 'b' }],
  'role.podLabels': [{ a: 'b' }],
  'role.nodeSelector': [{ a: 'b' }],
  'role.tolerations': [[{ operator: 'Exists' }]],
  'role.affinity': [{ nodeAffinity: {} }],
  'role.topologySpread': [[{ maxSkew: 1 }]],
  'role.priorityClassName': ['a'],
  'role.extraInitContainers': [[{ name: 'a' }]],
  'role.extraContainers': [[{ name: 'a' }]],
  'role.lifecycle': [{ postStart: { exec: { command: ['a'] } } }],
  'role.runtimeClassName': ['a'],
  'role.hostAliases': [[{ ip: '10.0.0.7', hostnames: ['a'] }]],
  'role.dnsConfig': [{ nameservers: ['10.0.0.7'] }],
  'role.revisionHistoryLimit': [7],
  'role.pdb.enabled': [false, queue],
  'role.autoscaling.by': ['cpu', { ...queue, 'main.autoscaling.by': 'none', 'role.autoscaling.max': 3 }],
  'role.autoscaling.min': [3, scaled('cpu')],
  'role.autoscaling.max': [7, scaled('cpu')],
  'role.autoscaling.cpu': ['7m', scaled('cpu')],
  'role.autoscaling.scaleDownSeconds': [7, scaled('queue')],
  'role.probes.startup.periodSeconds': [7],
  'role.probes.startup.failureThreshold': [7],
  'role.probes.readiness.periodSeconds': [7],
  'role.probes.readiness.timeoutSeconds': [7],
  'role.probes.readiness.failureThreshold': [7],
  'role.probes.liveness.periodSeconds': [7],
  'role.probes.liveness.timeoutSeconds': [7],
  'role.probes.liveness.failureThreshold': [7],
  'role.wait.seconds': [7, queue],
  'role.shutdown.delaySeconds': [7],
  'role.shutdown.gracefulSeconds': [7],
  'role.shutdown.gracePeriodSeconds': [70],
  'role.podSecurityContext.runAsNonRoot': [false],
  'role.podSecurityContext.runAsUser': [7],
  'role.podSecurityContext.runAsGroup': [7],
  'role.podSecurityContext.fsGroup': [7],
  'role.podSecurityContext.fsGroupChangePolicy': ['Always'],
  'role.podSecurityContext.seccompProfile.type': ['Unconfined'],
  'role.securityContext.allowPrivilegeEscalation': [true],
  'role.securityContext.readOnlyRootFilesystem': [false],
  'role.securityContext.capabilities.drop': [['NET_RAW']],
  'main.replicas': [0],
  'main.resources.requests.cpu': ['1'],
  'main.resources.requests.memory': ['512Mi'],
  'main.resources.limits.cpu': ['2'],
  'main.resources.limits.memory': ['2Gi'],
  'main.service': [{ type: 'NodePort' }],
  'webhook.service': [{ type: 'NodePort' }, queue],
  'main.strategy': ['Recreate', queue],
  'worker.replicas': [3, queue],
  'worker.concurrency': [7, queue],
  'worker.pools': [[{ name: 'a' }], { ...queue, 'license.existingSecret.name': 'a' }],
  'worker.shutdown.delaySeconds': [7, queue],
  'worker.shutdown.gracefulSeconds': [7, queue],
  'worker.shutdown.gracePeriodSeconds': [700, queue],
  ...resources('worker', queue),
  'webhook.replicas': [3, queue],
  ...resources('webhook', queue),
  'runner.mode': ['external'],
  'runner.heap.megabytes': [100],
  'runner.image.repository': ['a', { 'runner.mode': 'external' }],
  'runner.image.tag': ['1', { 'runner.mode': 'external' }],
  'runner.token.value': ['a', { 'runner.mode': 'external' }],
  'runner.token.existingSecret.name': ['a', { 'runner.mode': 'external' }],
  'runner.token.existingSecret.key': ['a', { 'runner.mode': 'external', 'runner.token.existingSecret.name': 'a' }],
  ...resources('runner', sidecar),
  'runner.javascript.builtin': ['a'],
  'runner.javascript.external': ['a'],
  'runner.python.stdlib': ['a', sidecar],
  'runner.python.external': ['a', sidecar],
  'runner.extraEnv': [{ A: 1 }, sidecar],
  'runner.extraEnvFrom': [[{ secretRef: { name: 'a' } }], sidecar],
  'runner.extraVolumes': [[{ name: 'a', emptyDir: {} }], sidecar],
  'runner.extraVolumeMounts': [[{ name: 'a', mountPath: '/a' }], sidecar],
  'communityNodes.packages': [['n8n-nodes-a@1.0.0']],
  'communityNodes.registry': ['https://a', { 'communityNodes.packages': ['n8n-nodes-a@1.0.0'] }],
  'database.type': ['embedded'],
  'database.host': ['a', external],
  'database.port': [7, external],
  'database.name': ['a', queue],
  'database.user': ['a', queue],
  'database.schema': ['a', queue],
  'database.password.value': ['a', queue],
  'database.password.existingSecret.name': ['a', queue],
  'database.password.existingSecret.key': ['a', external],
  'database.tls.enabled': [true, external],
  'database.tls.verify': [false, { ...external, 'database.tls.enabled': true }],
  'database.tls.caSecret.name': ['a', { ...external, 'database.tls.enabled': true }],
  'database.tls.caSecret.key': ['a', { ...external, 'database.tls.enabled': true, 'database.tls.caSecret.name': 'a' }],
  'database.poolSize': [7, queue],
  'database.maxConnections': [70, queue],
  'database.password.none': [true, external, { 'database.password.existingSecret.name': '' }],
  'database.tls.clientSecret.name': ['a', { ...external, 'database.tls.enabled': true }],
  'database.tls.clientSecret.certificate': ['a', clientCertificate],
  'database.tls.clientSecret.privateKey': ['a', clientCertificate],
  ...backing('database'),
  'redis.type': ['external', queue, { 'redis.host': 'a' }],
  'redis.prefix': ['a', queue],
  'redis.host': ['a', external],
  'redis.port': [7, external],
  'redis.db': [7, external],
  'redis.username': ['a', external],
  'redis.password.value': ['a', external],
  'redis.password.existingSecret.name': ['a', external],
  'redis.password.existingSecret.key': ['a', { ...external, 'redis.password.existingSecret.name': 'a' }],
  'redis.tls.enabled': [true, external],
  'redis.tls.caSecret.name': ['a', { ...external, 'redis.tls.enabled': true }],
  'redis.tls.caSecret.key': ['a', { ...external, 'redis.tls.enabled': true, 'redis.tls.caSecret.name': 'a' }],
  'redis.clusterNodes': [['a:7'], external, { 'redis.host': '' }],
  ...backing('redis'),
  'persistence.enabled': [false],
  'persistence.inQueueMode': [true, queue],
  'persistence.subPath': ['a'],
  'persistence.size': ['1Gi'],
  'persistence.storageClass': ['a'],
  'persistence.accessModes': [['ReadWriteMany']],
  'persistence.existingClaim': ['a'],
  'persistence.annotations': [{ a: 'b' }],
  'backup.enabled': [true],
  'backup.schedule': ['0 1 * * *', backups],
  'backup.keep': [3, backups],
  'backup.persistence.size': ['7Gi', backups],
  'backup.persistence.storageClass': ['a', backups],
  'backup.persistence.existingClaim': ['a', backups],
  'backup.image.repository': ['a', { ...queue, ...backups }],
  'backup.image.tag': ['1', { ...queue, ...backups }],
  ...resources('backup', backups),
  'encryptionKey.check': [false],
  'encryptionKey.generate': [true, external, { 'encryptionKey.existingSecret.name': '' }],
  'encryptionKey.value': ['a'],
  'encryptionKey.existingSecret.name': ['a'],
  'encryptionKey.existingSecret.key': ['a', { 'encryptionKey.existingSecret.name': 'a' }],
  'license.existingSecret.name': ['a'],
  'license.existingSecret.key': ['a', { 'license.existingSecret.name': 'a' }],
  'customCA.secret.name': ['a'],
  'customCA.secret.key': ['a', { 'customCA.secret.name': 'a' }],
  'customCA.configMap.name': ['a'],
  'customCA.configMap.key': ['a', { 'customCA.configMap.name': 'a' }],
  'binaryData.mode': ['database'],
  'binaryData.s3.bucket': ['b', s3],
  'binaryData.s3.region': ['a', s3],
  'binaryData.s3.host': ['a', s3],
  'binaryData.s3.existingSecret.name': ['a', s3],
  'binaryData.s3.existingSecret.accessKey': ['a', s3Key],
  'binaryData.s3.existingSecret.accessSecret': ['a', s3Key],
  'smtp.host': ['b', mail],
  'smtp.port': [7, mail],
  'smtp.ssl': [false, mail],
  'smtp.sender': ['b', mail],
  'smtp.user': ['b', login],
  'smtp.existingSecret.name': ['b', login],
  'smtp.existingSecret.key': ['b', login],
  'sso.oidc.discoveryUrl': ['https://b', oidc],
  'sso.oidc.clientId': ['b', oidc],
  'sso.oidc.existingSecret.name': ['b', oidc],
  'sso.oidc.existingSecret.key': ['b', oidc],
  'sso.saml.metadataUrl': ['https://b'],
  'sso.roles': ['instance_role', oidc],
  'logStreaming.existingSecret.name': ['a'],
  'logStreaming.existingSecret.key': ['a', { 'logStreaming.existingSecret.name': 'a' }],
  'telemetry.enabled': [true],
  'telemetry.templates': [false],
  publicUrl: ['https://a'],
  webhookUrl: ['https://a'],
  proxyHops: [2],
  timezone: ['Europe/Berlin'],
  logLevel: ['debug'],
  'service.type': ['NodePort'],
  'service.port': [80],
  'service.annotations': [{ a: 'b' }],
  'service.spec': [{ loadBalancerClass: 'a' }],
  'service.sticky': [true],
  'ingress.enabled': [true, { 'ingress.host': 'a' }],
  'ingress.className': ['a', { 'ingress.enabled': true, 'ingress.host': 'a' }],
  'ingress.host': ['b', { 'ingress.enabled': true, 'ingress.host': 'a' }],
  'ingress.extraHosts': [['c'], { 'ingress.enabled': true, 'ingress.host': 'a' }],
  'ingress.annotations': [{ a: 'b' }, { 'ingress.enabled': true, 'ingress.host': 'a' }],
  'ingress.tls.enabled': [true, { 'ingress.enabled': true, 'ingress.host': 'a' }],
  'ingress.tls.secretName': ['a', { 'ingress.enabled': true, 'ingress.host': 'a', 'ingress.tls.enabled': true }],
  'ingress.tls.atBalancer': [true, { 'ingress.enabled': true, 'ingress.host': 'a' }],
  'ingress.webhooks.host': ['b', webhooks],
  'ingress.webhooks.className': ['a', webhooks],
  'ingress.webhooks.annotations': [{ a: 'b' }, webhooks],
  'ingress.webhooks.tls.enabled': [true, webhooks],
  'ingress.webhooks.tls.secretName': ['a', { ...webhooks, 'ingress.webhooks.tls.enabled': true }],
  'ingress.webhooks.tls.atBalancer': [true, webhooks],
  'ingress.webhooks.morePaths': [['/a'], webhooks],
  'gateway.enabled': [true, { ...gateway, 'gateway.enabled': false }],
  'gateway.parentRefs': [[{ name: 'b' }], gateway],
  'gateway.host': ['b', gateway],
  'gateway.extraHosts': [['c'], gateway],
  'gateway.tls': [false, gateway],
  'gateway.annotations': [{ a: 'b' }, gateway],
  'networkPolicy.enabled': [false],
  'networkPolicy.from': [[{ namespaceSelector: {} }]],
  'networkPolicy.metricsFrom': [[{ namespaceSelector: {} }], { ...queue, 'monitoring.enabled': true }],
  'networkPolicy.egress': [[{ to: [{ namespaceSelector: {} }] }]],
  'monitoring.enabled': [true],
  'monitoring.podMonitor.enabled': [true, { 'monitoring.enabled': true }],
  'monitoring.podMonitor.interval': ['7s', monitored('podMonitor')],
  'monitoring.podMonitor.labels': [{ a: 'b' }, monitored('podMonitor')],
  'monitoring.rules.enabled': [true, { 'monitoring.enabled': true }],
  'monitoring.rules.labels': [{ a: 'b' }, monitored('rules')],
  'monitoring.dashboard.enabled': [true],
  'monitoring.dashboard.labels.grafana_dashboard': ['b', { 'monitoring.dashboard.enabled': true }],
  'serviceAccount.create': [false],
  'serviceAccount.name': ['a'],
  'serviceAccount.annotations': [{ a: 'b' }],
}

/** Values of load tests need files to be there: tests/load-target/ has them. */
const elsewhere = /^loadtest\./

/** Objects beside the pods: a change to them must not interrupt callers. */
const aroundPods = new RegExp(
  `^(${[
    'commonLabels|commonAnnotations|extraObjects',
    '(main|webhook)\\.service|service\\.(type|annotations|spec)',
    'ingress\\.(className|extraHosts|annotations|tls\\.secretName)',
    'ingress\\.webhooks\\.(className|annotations|tls\\.secretName|morePaths)',
    'gateway\\.(parentRefs|extraHosts|annotations)',
    'role\\.revisionHistoryLimit|role\\.(pdb|autoscaling)\\.',
    'networkPolicy\\.|persistence\\.(size|storageClass|accessModes|annotations)',
    'monitoring\\.(podMonitor|rules|dashboard)\\.|serviceAccount\\.annotations',
    'database\\.embedded|redis\\.embedded|(main|worker|webhook)\\.replicas',
  ].join('|')})`,
)

const isBranch = (value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0

const leaves = (values, path = []) =>
  Object.entries(values).flatMap(([key, value]) =>
    isBranch(value) ? leaves(value, [...path, key]) : [[...path, key].join('.')],
  )

function render(settings) {
  const flags = Object.entries(settings).flatMap(([path, value]) => ['--set-json', `${path}=${JSON.stringify(value)}`])
  const { status, stdout, stderr } = spawnSync('helm', ['template', 'n8n', chart, ...flags], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

const podsOfRoles = (yaml) =>
  JSON.stringify(
    parseAllDocuments(yaml)
      .map((document) => document.toJS())
      .filter((object) => object?.kind === 'Deployment')
      .map(({ spec }) => spec.template),
  )

const rendered = new Map()
const renderOnce = (settings) => {
  const key = JSON.stringify(settings)
  if (!rendered.has(key)) rendered.set(key, render(settings))
  return rendered.get(key)
}

const all = leaves(parse(readFileSync(join(chart, 'values.yaml'), 'utf8'))).filter((leaf) => !elsewhere.test(leaf))
const before = (leaf) => renderOnce(changes[leaf][1] ?? {})
const after = (leaf) => {
  const [value, needs = {}, beside = {}] = changes[leaf]
  return renderOnce({ ...needs, ...beside, [leaf]: value })
}
const failures = [
  ...all
    .filter((leaf) => !changes[leaf])
    .map((leaf) => `${leaf}: Expected another value for it in test/chart/leaves.mjs, found none.`),
  ...Object.keys(changes)
    .filter((leaf) => !all.includes(leaf))
    .map((leaf) => `${leaf}: Expected it in values.yaml, found none.`),
  ...all
    .filter((leaf) => changes[leaf] && before(leaf) === after(leaf))
    .map((leaf) => `${leaf}: Expected a change in what is rendered, got none: the value is dead.`),
  ...all
    .filter((leaf) => changes[leaf] && aroundPods.test(leaf) && podsOfRoles(before(leaf)) !== podsOfRoles(after(leaf)))
    .map((leaf) => `${leaf}: Expected no pod to be replaced for it, got another pod template.`),
]
for (const failure of failures) console.error(failure)
if (failures.length > 0) process.exit(1)
console.log(`live: all ${all.length} leaves of values.yaml`)
