/** Documented exit codes of the command. */
export const exitCodes = {
  met: 0,
  failure: 1,
  usage: 2,
  missed: 3,
  invalid: 4,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

interface Details {
  code: string
  message: string
  hint?: string
  exit: ExitCode
  /** The last lines of the log of what failed. */
  log?: string[]
}

/** An error that the user can act on. Everything else that is thrown is a defect of ours. */
export class LabError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly exit: ExitCode
  readonly log: string[]

  constructor(details: Details) {
    super(details.message)
    this.name = 'LabError'
    this.code = details.code
    this.hint = details.hint
    this.exit = details.exit
    this.log = details.log ?? []
  }
}

/** Where in a user's file something stands. */
export interface Place {
  file: string
  line: number | null
}

const at = (place: Place) => (place.line === null ? place.file : `${place.file}:${place.line}`)

const usage = (code: string, message: string, hint: string) =>
  new LabError({ code, message, hint, exit: exitCodes.usage })

const invalid = (code: string, message: string, hint: string, log?: string[]) =>
  new LabError({ code, message, hint, log, exit: exitCodes.invalid })

const installs: Record<string, string> = {
  'redis-server': 'Debian and Ubuntu: apt-get install redis-server. Fedora: dnf install redis. Or measure a plan in regular mode.',
  'redis-cli': 'Debian and Ubuntu: apt-get install redis-tools. Fedora: dnf install redis.',
  nginx: 'Debian and Ubuntu: apt-get install nginx-light. Fedora: dnf install nginx. Or take the balancer node.',
  iptables: 'Debian and Ubuntu: apt-get install iptables. Fedora: dnf install iptables-nft. Or take the balancer node.',
  ip: 'Debian and Ubuntu: apt-get install iproute2. Fedora: dnf install iproute. Or take the balancer node.',
  initdb: 'Debian and Ubuntu: apt-get install postgresql. Fedora: dnf install postgresql-server. Or measure a plan with SQLite.',
}

export const errors = {
  unknownProfile: (name: string, known: string[]) =>
    usage('unknown-profile', `Expected --profile to be a file or one of ${known.join(', ')}, got "${name}".`, 'n8n-tuned list shows what each profile asks.'),

  unreadableFile: (path: string, reason: string) =>
    usage('unreadable-file', `${path}: Expected a readable YAML file, got: ${reason}.`, 'Check the path and the file’s syntax.'),

  badProfile: (place: Place, problems: string[], fix: string) =>
    usage('bad-profile', problems.map((problem) => `${at(place)}: ${problem}`).join('\n'), fix),

  badValues: (place: Place, got: string) =>
    usage('bad-values', `${at(place)}: Expected Helm values, a map as YAML, got: ${got}`, 'Correct that file.'),

  sameWorkflow: (place: Place, name: string) =>
    usage('same-workflow', `${at(place)}: Expected workflows of different names, got two of "${name}".`, 'Name each once; kinds of requests to one workflow are a list under its request.'),

  oneRequest: (workflows: string[]) =>
    usage('one-request', `--request: Expected one workflow to send it to, got ${workflows.length}: ${workflows.join(', ')}.`, 'Name one with --workflow, or give each its request in a profile (docs/workload.md).'),

  unknownRequest: (place: Place, name: string) =>
    usage('unknown-request', `${at(place)}: Expected workflows of a bare server to be hello or count-<number>, got "${name}".`, 'For example hello, or count-500000, whose handler counts that far.'),

  pickVariant: (profile: string, names: string[]) =>
    usage('pick-variant', `Expected one configuration to check, got the ${names.length} variants of ${profile}.`, `Name one with --variant (${names.join(', ')}), or use n8n-tuned compare.`),

  unknownVariant: (name: string, names: string[]) =>
    usage('unknown-variant', `Expected --variant to be one of ${names.join(', ') || 'none (the profile has no variants)'}, got "${name}".`, 'Take one of the names in the profile.'),

  valuesRefused: (place: Place, said: string) =>
    usage('values-refused', `${at(place)}: These values are refused.\n${said}`, 'Change the value it names; charts/n8n-tuned/README.md lists what each accepts, docs/profiles.md those of a bare server.'),

  unknownVersion: (place: Place, refusal: string) =>
    usage('unknown-version', `${at(place)}: image.tag: ${refusal}`, 'Set another, or take an engine that runs any image: --engine container, or --target kubernetes.'),

  whichN8n: (got: string, ask: string) =>
    usage('which-version', `image.tag: Expected the exact n8n version that runs there, got ${got ? `"${got}"` : 'none'}: an earlier one may not read its database.`, `Give it with --tag. It is what this prints: ${ask}.`),

  noN8nService: (file: string) =>
    usage('no-service', `${file}: Expected a service with n8n’s image among services, found none.`, 'Name it in image, as docker.n8n.io/n8nio/n8n:2.41.1; docker compose config prints the whole file.'),

  unsetVariables: (file: string, names: string[]) =>
    usage('unset-variables', `${file}: Expected a value for ${names.join(', ')}, found none.`, 'Give the file that Docker Compose reads them from with --env.'),

  convertedRefused: (said: string) =>
    usage('converted-refused', `The values that were printed are refused.\n${said}`, 'Change what it names in the file that you made of them.'),

  badQuantity: (got: string | number) =>
    usage('bad-quantity', `Expected CPU and memory as Kubernetes quantities such as 500m or 1Gi, got ${JSON.stringify(got)}.`, 'Correct the resources among the Helm values.'),

  notOnThisTarget: (what: string, why: string) =>
    usage('not-on-this-target', `Expected a plan that runs on one machine, got ${what}.`, why),

  notUnderPm2: (what: string, hint: string) =>
    usage('not-under-pm2', `Expected a plan that PM2 can run, which are processes of n8n and nothing else, got ${what}.`, hint),

  notInThisCluster: (what: string, why: string) =>
    usage('not-on-this-target', `Expected a plan that the lab can install in a namespace of its own, got ${what}.`, why),

  missingKubectl: () =>
    usage('missing-kubectl', 'Expected kubectl on PATH, which knows how to log in to your cluster, found none.', 'https://kubernetes.io/docs/tasks/tools/ says how to install it.'),

  noCluster: (what: string, reason: string) =>
    usage('no-cluster', `Expected ${what}, got: ${reason}.`, 'kubectl config get-contexts lists what KUBECONFIG knows; kubectl config use-context chooses one.'),

  notLocal: (what: string) =>
    usage('not-local', `Expected leave to load ${what}, which is not on this machine, got none.`, 'Give --yes if it is yours to load.'),

  checkOnly: () =>
    usage('check-only', 'Expected check with a --target that runs already, got compare.', 'Its settings are what they are: n8n-tuned check measures them.'),

  notItsValues: (what: string) =>
    usage('not-its-values', `Expected a --target that runs already to keep its settings, got ${what}.`, 'Leave that out; a profile’s load and objective apply, its Helm values do not.'),

  explainElsewhere: (got: string) =>
    usage('explain-elsewhere', `Expected --explain with an n8n that the lab starts on this machine (--target local), got ${got}.`, 'Leave --explain out, or measure the same values with --target local.'),

  outsideElsewhere: (got: string) =>
    usage('outside-elsewhere', `Expected outside, --outside or --record-outside with an n8n that the lab starts on this machine (--target local), got ${got}.`, 'Leave it out, and know that each execution calls the real services there; or measure the same values with --target local.'),

  standInFailed: (log: string[]) =>
    invalid('stand-in-failed', 'Expected the stand-in for the outside to start, but it did not.', 'The last lines of its log say why; --allow-outside does without it, and calls the real services.', log),

  noCredentialsThere: () =>
    usage('no-credentials-there', 'Expected --credentials with an n8n on this machine, got --target kubernetes, where the lab imports none.', 'Measure the same values with --target local, or workflows that need no credentials.'),

  onlyForUrl: (option: string) =>
    usage('only-for-url', `Expected ${option} with a --target that is a URL, got another target.`, 'Leave it out: the lab finds the metrics of what it starts by itself.'),

  onlyForCluster: (option: string) =>
    usage('only-for-cluster', `Expected ${option} with --target kubernetes, got another target.`, 'Leave it out: on one machine the generator has cores of its own.'),

  unreachable: (url: string, got: string, hint: string) =>
    usage('unreachable', `Expected ${url} to answer, got: ${got}.`, hint),

  clusterRefused: (request: string, said: string) =>
    new LabError({ code: 'cluster-refused', message: `Expected the cluster to do as asked (${request}), got: ${said}`, hint: 'docs/targets.md lists what the lab may have to do there.', exit: exitCodes.failure }),

  leftInCluster: (namespace: string, seconds: number) =>
    new LabError({ code: 'left-in-cluster', message: `Expected the namespace ${namespace} to be gone within ${seconds} s, it is not.`, hint: `kubectl describe namespace ${namespace} says what holds it.`, exit: exitCodes.failure }),

  missingTool: (name: string) =>
    usage('missing-tool', `Expected ${name} to be installed, found nothing.`, 'Run make setup in the project’s root.'),

  missingServer: (program: string, what: string) =>
    usage('missing-server', `Expected ${program} on this machine for ${what}, found none on PATH or in the usual folders.`, installs[program] ?? `Install ${program}.`),

  noContainerRuntime: (refusals: string[]) =>
    usage('no-container-runtime', `Expected Docker or Podman on PATH for --engine container, got ${refusals.join('; ') || 'none'}.`, 'Install one (Debian and Ubuntu: apt-get install podman) or start its daemon; or leave --engine out, since processes need none.'),

  needsProcesses: (what: string) =>
    usage('needs-processes', `Expected --engine process for ${what}, got container.`, 'Leave --engine out, or take the balancer node or nginx.'),

  onlyForLocal: (option: string) =>
    usage('only-for-local', `Expected ${option} with --target local, got another target.`, 'Leave it out: a cluster and an n8n that runs already are what they are.'),

  needsRoot: (what: string) =>
    usage('needs-root', `Expected to be root for ${what}, which makes a network of its own, got another user.`, 'Run it as root, or take the balancer node or nginx.'),

  balancerFailed: (name: string, log: string[]) =>
    new LabError({ code: 'balancer-failed', message: `Expected the balancer ${name} to start, but it did not.`, hint: 'Take another with --balancer, or mend what its log says.', exit: exitCodes.usage, log }),

  notARun: (dir: string) =>
    usage('not-a-run', `Expected ${dir} to hold a run.ndjson, found none.`, 'Name a folder under results/.'),

  emptyRun: (dir: string) =>
    usage('not-a-run', `Expected ${dir} to hold a run.ndjson that begins with the run’s own record, got none.`, 'The run ended before anything was measured: run it again.'),

  holdsARun: (dir: string) =>
    usage('holds-a-run', `Expected --out to name a folder without a run, got ${dir}, which holds one.`, 'Name another folder, or remove that one.'),

  otherExperiment: (dir: string) =>
    usage('other-experiment', `Expected --resume to name a run of this very experiment, got ${dir}, which asked something else.`, 'Give the command that began it, which its report shows, and --resume.'),

  sameVariant: (name: string) =>
    usage('same-variant', `Expected variants of different names, got two of "${name}".`, 'A variant of --tag has the version as its name, one of --with the name of its file.'),

  nothingBeside: (variant: string) =>
    usage('nothing-beside', `--rate: Expected two variants or more to run side by side, got only ${variant}.`, 'Give them with --tag or --with, or a profile that has several. For one alone there is n8n-tuned check --rate.'),

  idleBound: (measure: 'cpu' | 'capacity') =>
    usage('idle-bound', `--bound: Expected ${measure === 'cpu' ? 'capacity or memory' : 'cpu or memory'}, got ${measure}.`, `${measure === 'cpu' ? 'CPU a request is compared at one rate: add --rate' : 'At one rate it is not asked how much is carried: leave --rate out, or bound cpu'}.`),

  nothingToTune: (expected: string, got: string) =>
    usage('nothing-to-tune', `Expected ${expected}, got none of it in ${got}.`, 'Each variant of tune is made of a tier, with one of its settings or patches left out: give values with base, --values or --set tuning.tier=tuned.'),

  idleSetting: (setting: string, working: string[], tier: string) =>
    usage('idle-setting', `--setting: Expected a setting or patch that does something with these values (tier ${tier}), got ${setting}.`, `Those that do: ${working.join(', ')}.${tier === 'patched' ? '' : ' The tier patched has all: --set tuning.tier=patched.'}`),

  noRate: (profile: string) =>
    usage('no-rate', `Expected a rate to size for, got none: the load of ${profile} is not constant.`, 'Give the requests a second with --rate, or load: { shape: constant, rate: …, duration: … } in the profile.'),

  sizesNoMix: (profile: string) =>
    usage('sizes-no-mix', `Expected workflows that are loaded each on its own to size for, got the mix of ${profile}.`, 'Set load.shape to constant, or measure the cells under the mix with n8n-tuned compare.'),

  noPrice: (cell: string) =>
    usage('no-price', `Expected CPU and memory limits for every container, since they make the price, got none for some of ${cell}.`, 'Set resources.limits, or a price of 0 for what is to have no limit.'),

  patchesNeedFile: (patches: string[]) =>
    usage('patches-need-file', `Expected --out to name a file, since patches (${patches.join(', ')}) are files beside it, got none.`, 'Give --out ecosystem.config.cjs, or values without patches: --set tuning.tier=lean.'),

  unwritableFile: (file: string, reason: string) =>
    usage('unwritable-file', `Expected --out to name a file to write to, got ${file}: ${reason}.`, 'Name another file.'),

  unwritableFolder: (dir: string, reason: string) =>
    usage('unwritable-folder', `Expected --out to name a folder to write to, got ${dir}: ${reason}.`, 'Name another folder.'),

  noCredentials: (url: string) =>
    usage('no-credentials', `Expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment for ${url}, found none.`, 'Set them; AWS_REGION and AWS_ENDPOINT_URL_S3 say where a store is that is not in AWS’ us-east-1.'),

  badEndpoint: (endpoint: string) =>
    usage('bad-endpoint', `Expected AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL to be a URL like https://s3.example.com, got "${endpoint}".`, 'Correct that variable.'),

  noStore: (url: string, endpoint: string, got: string) =>
    usage('no-store', `Expected the bucket of ${url} at ${endpoint}, got: ${got}.`, 'AWS_ENDPOINT_URL_S3 and AWS_REGION say where the store is; the bucket has to be there.'),

  notStored: (url: string, dir: string, file: string, got: string) =>
    new LabError({ code: 'not-stored', message: `Expected ${url} to take ${file} of the run, got: ${got}. Nothing is lost: all of it is in ${dir}.`, hint: `n8n-tuned report ${dir} --record ${url} copies it again.`, exit: exitCodes.failure }),

  damagedRun: (path: string, line: number) =>
    usage('damaged-run', `${path}:${line}: Expected a JSON record, got something else.`, 'Only the last line of an interrupted run may be cut short; restore the file.'),

  notInRecord: (dir: string, what: string) =>
    usage('not-in-record', `Expected ${dir} to say ${what} of its answers, got a run of an earlier version, which does not.`, 'Measure again, or ask for p95 or p99.'),

  runtimeFailed: (image: string, log: string[]) =>
    invalid('runtime-unavailable', `Expected to run ${image} on this machine, but it could not be installed.`, 'Set image.tag to one of the versions under loadtests/runtimes.', log),

  imageUnavailable: (image: string, log: string[]) =>
    invalid('image-unavailable', `Expected to run ${image}, but it is not here and could not be pulled.`, 'Check image.repository and image.tag, or load the image into the runtime first.', log),

  installFailed: (log: string[]) =>
    invalid('install-failed', 'Expected Helm to install the chart, but it failed.', 'Its last lines say why.', log),

  neverReady: (process: string, reason: string, hint: string, log: string[]) =>
    invalid('never-ready', `Expected ${process} to become ready, but ${reason}.`, hint, log),

  neverCounted: (seconds: number) =>
    invalid('never-counted', `Expected n8n to say what it finished, but /metrics did not answer within ${seconds} s.`, 'n8n may be stuck; its log, in the run’s folder, may say why.'),

  seedFailed: (step: string, log: string[]) =>
    invalid('seed-failed', `Expected n8n to take the workflows, but ${step} failed.`, 'The last lines of n8n’s log say why.', log),

  generatorFailed: (code: string, log: string[]) =>
    invalid('generator-failed', `Expected k6 to finish its step, but it ended with ${code}.`, 'The last lines of k6’s log say why.', log),

  interrupted: () =>
    new LabError({ code: 'interrupted', message: 'Interrupted: what was measured until now is kept.', exit: exitCodes.failure }),
}
