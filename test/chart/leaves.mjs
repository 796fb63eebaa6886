// No value is dead: every leaf of values.yaml, changed, changes what is rendered.
// A leaf without an entry below fails too, so that a new value brings its own.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const chart = process.argv[2]

/** For each leaf another value, and what it takes for it to matter. */
const changes = {
  'image.repository': ['example.com/n8n'],
  'image.tag': ['1.123.81'],
  'image.version': ['1.123.81'],
  'image.digest': [`sha256:${'0'.repeat(64)}`],
  'image.pullPolicy': ['Always'],
  'image.pullSecrets': [[{ name: 'a' }]],
  nameOverride: ['a'],
  fullnameOverride: ['a'],
  'executions.process': ['own', { 'image.tag': '0.221.2' }],
  'tuning.profile': ['n8n-defaults'],
  'tuning.lazyIsolates': [false],
  'tuning.compileCache': [false],
  'tuning.discardSuccess': [false],
  'tuning.noPruning': [false],
  'tuning.noInsights': [false],
  'tuning.noStatistics': [false],
  'tuning.derivedHeap': [false],
  'role.heap.percent': [50],
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
  'role.probes.startup.periodSeconds': [7],
  'role.probes.startup.failureThreshold': [7],
  'role.probes.readiness.periodSeconds': [7],
  'role.probes.readiness.timeoutSeconds': [7],
  'role.probes.readiness.failureThreshold': [7],
  'role.probes.liveness.periodSeconds': [7],
  'role.probes.liveness.timeoutSeconds': [7],
  'role.probes.liveness.failureThreshold': [7],
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
  'persistence.enabled': [false],
  'persistence.size': ['1Gi'],
  'persistence.storageClass': ['a'],
  'persistence.accessModes': [['ReadWriteMany']],
  'persistence.existingClaim': ['a'],
  'persistence.annotations': [{ a: 'b' }],
  'encryptionKey.value': ['a'],
  'encryptionKey.existingSecret.name': ['a'],
  'encryptionKey.existingSecret.key': ['a', { 'encryptionKey.existingSecret.name': 'a' }],
  publicUrl: ['https://a'],
  webhookUrl: ['https://a'],
  proxyHops: [2],
  timezone: ['Europe/Berlin'],
  logLevel: ['debug'],
  'service.type': ['NodePort'],
  'service.port': [80],
  'service.annotations': [{ a: 'b' }],
  'ingress.enabled': [true, { 'ingress.host': 'a' }],
  'ingress.className': ['a', { 'ingress.enabled': true, 'ingress.host': 'a' }],
  'ingress.host': ['b', { 'ingress.enabled': true, 'ingress.host': 'a' }],
  'ingress.annotations': [{ a: 'b' }, { 'ingress.enabled': true, 'ingress.host': 'a' }],
  'ingress.tls.enabled': [true, { 'ingress.enabled': true, 'ingress.host': 'a' }],
  'ingress.tls.secretName': ['a', { 'ingress.enabled': true, 'ingress.host': 'a', 'ingress.tls.enabled': true }],
  'monitoring.enabled': [true],
  'serviceAccount.create': [false],
  'serviceAccount.name': ['a'],
  'serviceAccount.annotations': [{ a: 'b' }],
}

/** Leaves with a single value in this slice, or which need files to be there. */
const elsewhere = ['executions.mode', 'loadtest.enabled']

const isBranch = (value) => value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0

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

const rendered = new Map()
const renderOnce = (settings) => {
  const key = JSON.stringify(settings)
  if (!rendered.has(key)) rendered.set(key, render(settings))
  return rendered.get(key)
}

const all = leaves(parse(readFileSync(join(chart, 'values.yaml'), 'utf8'))).filter((leaf) => !elsewhere.includes(leaf))
const failures = [
  ...all.filter((leaf) => !changes[leaf]).map((leaf) => `${leaf}: Expected another value for it in test/chart/leaves.mjs, found none.`),
  ...Object.keys(changes).filter((leaf) => !all.includes(leaf)).map((leaf) => `${leaf}: Expected it in values.yaml, found none.`),
  ...all.filter((leaf) => {
    if (!changes[leaf]) return false
    const [value, needs = {}] = changes[leaf]
    return renderOnce(needs) === renderOnce({ ...needs, [leaf]: value })
  }).map((leaf) => `${leaf}: Expected a change in what is rendered, got none: the value is dead.`),
]
for (const failure of failures) console.error(failure)
if (failures.length > 0) process.exit(1)
console.log(`live: all ${all.length} leaves of values.yaml`)
