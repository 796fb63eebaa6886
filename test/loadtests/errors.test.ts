import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configurationErrors } from '../../loadtests/src/cli/configuration-errors.ts'
import { targetErrors } from '../../loadtests/src/cli/target-errors.ts'
import { verbErrors } from '../../loadtests/src/cli/verb-errors.ts'
import { convertErrors } from '../../loadtests/src/convert/errors.ts'
import { exitCodes, LabError } from '../../loadtests/src/errors.ts'
import { outcomeErrors } from '../../loadtests/src/fault/errors.ts'
import { learnErrors } from '../../loadtests/src/learn/errors.ts'
import { profileErrors } from '../../loadtests/src/profile/errors.ts'
import { recordErrors } from '../../loadtests/src/record/errors.ts'
import { runErrors } from '../../loadtests/src/run/errors.ts'
import { faultErrors } from '../../loadtests/src/shared/fault-errors.ts'
import { loadErrors } from '../../loadtests/src/shared/load-errors.ts'
import { planErrors } from '../../loadtests/src/shared/plan-errors.ts'
import { supportErrors } from '../../loadtests/src/support/errors.ts'
import { attachedErrors } from '../../loadtests/src/target/attached/errors.ts'
import { clusterErrors } from '../../loadtests/src/target/kubernetes/errors.ts'
import { localErrors } from '../../loadtests/src/target/local/errors.ts'
import { pm2Errors } from '../../loadtests/src/target/pm2/errors.ts'
import { readinessErrors } from '../../loadtests/src/target/readiness-errors.ts'
import { workloadErrors } from '../../loadtests/src/workload/errors.ts'
import { root } from '../support/command.ts'

const errors = {
  ...configurationErrors,
  ...targetErrors,
  ...verbErrors,
  ...convertErrors,
  ...outcomeErrors,
  ...learnErrors,
  ...profileErrors,
  ...recordErrors,
  ...runErrors,
  ...faultErrors,
  ...loadErrors,
  ...planErrors,
  ...supportErrors,
  ...attachedErrors,
  ...clusterErrors,
  ...localErrors,
  ...pm2Errors,
  ...readinessErrors,
  ...workloadErrors,
}

const location = { file: 'mine.yaml', line: 3 }

/** Every error there is, as a user meets it. */
const all: Record<keyof typeof errors, LabError> = {
  unknownProfile: errors.unknownProfile('fast', ['check', 'quick']),
  unreadableFile: errors.unreadableFile('mine.yaml', 'ENOENT'),
  badProfile: errors.badProfile(location, ['load.vus: Expected a number, got "many".'], 'Correct load.vus.'),
  badValues: errors.badValues(location, '["a"].'),
  unknownRequest: errors.unknownRequest(location, 'count-much'),
  unmixable: errors.unmixable('ramp'),
  noSuchComponent: errors.noSuchComponent('redis', ['main']),
  unknownFault: errors.unknownFault('redis-melted', ['redis-frozen']),
  faultNeedsRate: errors.faultNeedsRate(),
  faultsApart: errors.faultsApart(),
  noRunner: errors.noRunner(),
  cannotFreeze: errors.cannotFreeze('n8n'),
  noMemoryLimit: errors.noMemoryLimit('n8n-tuned-worker-a', 'n8n'),
  runnerWithinN8n: errors.runnerWithinN8n(),
  needsOwnNetwork: errors.needsOwnNetwork(),
  notTogether: errors.notTogether('redis-lossy', 'upgraded', 'Helm takes back what the lab adds'),
  needsClockLibrary: errors.needsClockLibrary(),
  noFaultsThere: errors.noFaultsThere(),
  faultElsewhere: errors.faultElsewhere('a cluster: --target kubernetes'),
  noKey: errors.noKey(),
  badKey: errors.badKey('https://n8n.example.com/'),
  noRights: errors.noRights('https://n8n.example.com/', 'executions'),
  noApi: errors.noApi('https://n8n.example.com/', 404),
  n8nUnreachable: errors.n8nUnreachable('https://n8n.example.com/', 'ECONNREFUSED'),
  noHistory: errors.noHistory('https://n8n.example.com/', 7),
  unknownWorkflow: errors.unknownWorkflow('mine.yaml:3', 'pong', ['ping-webhook']),
  badWorkflow: errors.badWorkflow('mine.json', 'a workflow as JSON', 'an empty list'),
  noSuchWorkflow: errors.noSuchWorkflow('mine.json', 'Orders', ['Refunds']),
  missingLinked: errors.missingLinked('mine.json', 'Orders', 'the error workflow', '7'),
  badCredentials: errors.badCredentials('credentials.json', 'encrypted ones'),
  missingCredential: errors.missingCredential('orders', 'Webhook', '"Shop key"'),
  missingAuth: errors.missingAuth('orders', 'Webhook', 'basic auth'),
  badDataTable: errors.badDataTable('tables.json', 'Expected a name, got none'),
  missingDataTable: errors.missingDataTable('orders', 'prices'),
  badRequest: errors.badRequest('mine.yaml:3', 'Expected POST, got GET.'),
  unreadable: errors.unreadable('rows.csv', 'ENOENT'),
  sameWorkflow: errors.sameWorkflow(location, 'orders'),
  outsideElsewhere: errors.outsideElsewhere('kubernetes'),
  standInFailed: errors.standInFailed(['EADDRINUSE']),
  noCredentialsThere: errors.noCredentialsThere(),
  oneRequest: errors.oneRequest(['orders', 'refunds']),
  pickVariant: errors.pickVariant('quick', ['tuned', 'n8n-defaults']),
  holdNeedsRate: errors.holdNeedsRate('closed'),
  redisUnanswered: errors.redisUnanswered('FLUSHALL', 30),
  executionsUnseen: errors.executionsUnseen(),
  unknownVariant: errors.unknownVariant('fast', ['tuned']),
  valuesRefused: errors.valuesRefused(location, 'main.wings: there is no such value.'),
  unknownVersion: errors.unknownVersion(
    location,
    'Expected the n8n version to be one of 2.41.1, got 9.9.9: npm has none.',
  ),
  whichN8n: errors.whichN8n('stable', 'kubectl exec deployment/n8n -- n8n --version'),
  badCompose: errors.badCompose('compose.yaml', 'a value for DOMAIN', 'Give it with --env.'),
  badQuantity: errors.badQuantity('much'),
  sizesNoMix: errors.sizesNoMix('traffic'),
  explainElsewhere: errors.explainElsewhere('kubernetes'),
  notOnThisTarget: errors.notOnThisTarget('3 replicas of worker', 'Set worker.replicas to 1.'),
  missingTool: errors.missingTool('helm'),
  missingServer: errors.missingServer('nginx', 'the balancer nginx'),
  needsRoot: errors.needsRoot('the balancer iptables'),
  balancerFailed: errors.balancerFailed('nginx', ['bind() failed']),
  notARun: errors.notARun('results/x'),
  emptyRun: errors.emptyRun('results/x'),
  holdsARun: errors.holdsARun('results/x'),
  unwritableFolder: errors.unwritableFolder('results/x', 'EACCES'),
  damagedRun: errors.damagedRun('results/x/run.ndjson', 7),
  notInRecord: errors.notInRecord('results/x', 'p99.9'),
  runtimeFailed: errors.runtimeFailed('n8nio/n8n:9.9.9', ['no such version']),
  neverReady: errors.neverReady(
    'main-0',
    'it ended with exit code 1 while starting',
    'The last lines of its log say why.',
    ['no database'],
  ),
  neverCounted: errors.neverCounted(10),
  dataTablesFailed: errors.dataTablesFailed('n8nio/n8n:1.60.1', 'no such table: data_table'),
  seedFailed: errors.seedFailed('n8n import:workflow', ['no such file']),
  generatorFailed: errors.generatorFailed('exit code 107', ['no such script']),
  notUnderPm2: errors.notUnderPm2('queue mode', 'Set executions.mode: regular.'),
  notInThisCluster: errors.notInThisCluster('StatefulSet', 'Ask for the right to make one.'),
  missingKubectl: errors.missingKubectl(),
  noCluster: errors.noCluster('a context', 'got none'),
  notLocal: errors.notLocal('prod'),
  checkOnly: errors.checkOnly(),
  notItsValues: errors.notItsValues('--set'),
  onlyForUrl: errors.onlyForUrl('--metrics-url'),
  onlyForCluster: errors.onlyForCluster('--generators'),
  unreachable: errors.unreachable('http://127.0.0.1:1/', 'ECONNREFUSED', 'Start it first.'),
  clusterRefused: errors.clusterRefused('POST /api/v1/namespaces', 'forbidden.'),
  leftInCluster: errors.leftInCluster('n8n-tuned-1', 60),
  noContainerRuntime: errors.noContainerRuntime(['docker: no such file']),
  needsProcesses: errors.needsProcesses('the balancer iptables'),
  onlyForLocal: errors.onlyForLocal('--engine'),
  otherExperiment: errors.otherExperiment('results/x'),
  sameVariant: errors.sameVariant('after'),
  nothingBeside: errors.nothingBeside('before'),
  idleBound: errors.idleBound('cpu'),
  nothingToTune: errors.nothingToTune('values of a tier', 'the tier n8n-defaults'),
  idleSetting: errors.idleSetting('lazyIsolates', ['fastIsolates'], 'patched'),
  noRate: errors.noRate('right-size'),
  noPrice: errors.noPrice('tuned'),
  patchesNeedFile: errors.patchesNeedFile(['fastIsolates']),
  unwritableFile: errors.unwritableFile('out.cjs', 'EACCES'),
  noCredentials: errors.noCredentials('s3://bucket'),
  badEndpoint: errors.badEndpoint('ftp://store'),
  noStore: errors.noStore('s3://bucket', 'http://store', '404'),
  notStored: errors.notStored('s3://bucket', 'results/x', 'run.ndjson', '403'),
  imageUnavailable: errors.imageUnavailable('n8nio/n8n:9.9.9', ['no such image']),
  installFailed: errors.installFailed(['helm: timed out']),
  interrupted: errors.interrupted(),
}

test('every room with errors is among these', () => {
  const rooms = globSync('loadtests/src/**/*errors.ts', { cwd: root }).filter(
    (file) => file !== 'loadtests/src/errors.ts',
  )
  const read = readFileSync(join(root, 'test/loadtests/errors.test.ts'), 'utf8')
  expect(rooms.length).toBeGreaterThan(15)
  expect(rooms.filter((file) => !read.includes(`/${file}'`))).toEqual([])
})

describe.each(Object.entries(all))('%s', (name, error) => {
  test('has a code of its own making and one of the documented exits', () => {
    expect(error).toBeInstanceOf(LabError)
    expect(error.code).toMatch(/^[a-z]+(-[a-z0-9]+)*$/)
    expect(Object.values(exitCodes)).toContain(error.exit)
    expect(error.exit).not.toBe(exitCodes.met)
  })

  test('is a sentence that says what was expected and what came instead', () => {
    expect(error.message).toMatch(/\.$/)
    expect(error.message).not.toMatch(/undefined|null|\[object|NaN/)
    if (name !== 'interrupted') expect(error.message).toMatch(/Expected |refused/)
  })

  test('says what to do about it', () => {
    if (name !== 'interrupted') expect(error.hint).toMatch(/^([A-Z]|n8n|https:|kubectl |docs\/).*\.$/)
  })
})

test(
  'an error is the user’s, or the measurement’s: what the user gave ends with 2, what could not be '
    + 'measured with 4',
  () => {
    const exits = Object.groupBy(Object.keys(all) as (keyof typeof errors)[], (name) => String(all[name].exit))
    expect(exits[exitCodes.invalid]!.sort()).toEqual([
      'dataTablesFailed',
      'executionsUnseen',
      'generatorFailed',
      'imageUnavailable',
      'installFailed',
      'neverCounted',
      'neverReady',
      'redisUnanswered',
      'runtimeFailed',
      'seedFailed',
      'standInFailed',
    ])
    expect(exits[exitCodes.failure]!.sort()).toEqual(['clusterRefused', 'interrupted', 'leftInCluster', 'notStored'])
  },
)

test('an error that comes from a log brings its last lines', () => {
  expect(all.neverReady.log).toEqual(['no database'])
  expect(all.badProfile.log).toEqual([])
})

test('a location is a file and a line, or the file alone', () => {
  expect(errors.valuesRefused(location, '').message).toMatch(/^mine\.yaml:3: /)
  expect(errors.valuesRefused({ file: '--set', line: null }, '').message).toMatch(/^--set: /)
})
