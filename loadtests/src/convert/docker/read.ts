import { dirname, resolve } from 'node:path'
import { usage } from '../../lib/errors.ts'
import { nameValue } from '../../lib/name-value.ts'
import { readYaml } from '../../model/yaml-file.ts'
import type { Values } from '../../model/experiment.ts'
import { withoutKeys } from '../account.ts'
import { readEnv } from '../compose/read.ts'
import { mainOf } from '../compose/services.ts'
import type { ReaderOptions, ReadFiles } from '../source.ts'
import { isSecret } from '../takes.ts'
import { commandsIn } from './words.ts'

/** `docker run …`, and env files: each is what a service of Compose would say, and goes the same way from there. */

export async function readDockerRun(files: string[], { env, drop }: ReaderOptions): Promise<ReadFiles> {
  const variables = env === undefined ? {} : await readEnv(env)
  const missing = new Set<string>()
  // It stays as it is written: the text of a secret need not be known.
  const valueOf = (name: string) => variables[name] ?? (missing.add(name), `\${${name}}`)
  const services: Record<string, Values> = {}
  for (const file of files) {
    const all = commandsIn(await readYaml(file), valueOf)
      .map(afterRun)
      .filter((words) => words !== undefined)
    for (const words of all) {
      const { name, of } = await serviceOf(words, dirname(file), valueOf)
      services[name in services ? `${name}-${Object.keys(services).length + 1}` : name] = of
    }
  }
  const values = { services }
  if (!mainOf(withoutKeys(values, drop)))
    throw usage(
      'bad-docker-run',
      `${files[0]}: Expected a command docker run with n8n’s image, found none.`,
      'Write the whole command with its image into the file, such as docker run -d --name n8n n8nio/n8n:2.41.1.',
    )
  const unknown = [...missing].filter((name) => !onlyInSecrets(name, services))
  if (unknown.length > 0)
    throw usage(
      'bad-docker-run',
      `${files[0]}: Expected a value for ${unknown.join(', ')}, found none.`,
      'Give the file of variables that your shell has with --env, or write the values into the command.',
    )
  return { values, place: () => ({ file: files[0]!, line: null }) }
}

/** Variables alone, as a process manager or docker's --env-file has them. */
export async function readEnvFiles(files: string[]): Promise<ReadFiles> {
  const all = await Promise.all(files.map(readEnv))
  const values = { services: { n8n: { image: 'n8nio/n8n', environment: Object.assign({}, ...all) as Values } } }
  return { values, place: () => ({ file: files[0]!, line: null }) }
}

const onlyInSecrets = (name: string, services: Record<string, Values>) =>
  Object.values(services).every((of) =>
    Object.entries(of).every(([key, value]) =>
      key === 'environment'
        ? (value as string[]).every((entry) => {
            const [variable, text] = nameValue(entry)
            return !entry.includes(`\${${name}}`) || isSecret({ name: variable, value: text })
          })
        : !JSON.stringify(value).includes(`\${${name}}`),
    ),
  )

/** The words after `docker run`, whatever is before it. */
function afterRun(words: string[]): string[] | undefined {
  const at = words.findIndex((word) => /(^|\/)(docker|podman|nerdctl)$/.test(word))
  const own = at < 0 ? [] : words.slice(at + 1)
  const from = own[0] === 'container' ? 1 : 0
  return own[from] === 'run' || own[from] === 'create' ? own.slice(from + 1) : undefined
}

const short: Record<string, string> = {
  ...{ e: 'env', v: 'volume', p: 'publish', m: 'memory', u: 'user', w: 'workdir', l: 'label', h: 'hostname' },
  ...{ d: 'detach', i: 'interactive', t: 'tty', c: 'cpu-shares', P: 'publish-all', q: 'quiet' },
}
const switches = new Set([
  ...['detach', 'interactive', 'tty', 'rm', 'init', 'privileged', 'read-only', 'publish-all', 'no-healthcheck'],
  ...['quiet', 'sig-proxy', 'oom-kill-disable'],
])

/** As Compose names it. */
const inCompose: Record<string, string> = {
  ...{ env: 'environment', 'env-file': 'env_file', volume: 'volumes', mount: 'volumes', publish: 'ports' },
  ...{ memory: 'mem_limit', 'memory-reservation': 'mem_reservation', 'memory-swap': 'memswap_limit', cpus: 'cpus' },
  ...{ 'cpu-shares': 'cpu_shares', 'cpuset-cpus': 'cpuset', user: 'user', entrypoint: 'entrypoint' },
  ...{ workdir: 'working_dir', network: 'networks', net: 'networks', 'network-alias': 'networks', link: 'links' },
  ...{ 'add-host': 'extra_hosts', label: 'labels', hostname: 'hostname', restart: 'restart', ip: 'networks' },
  ...{ 'log-driver': 'logging', 'log-opt': 'logging', pull: 'pull_policy', platform: 'platform', dns: 'dns' },
  ...{ 'dns-search': 'dns_search', device: 'devices', gpus: 'devices', 'cap-add': 'cap_add', 'cap-drop': 'cap_drop' },
  ...{ 'security-opt': 'security_opt', 'shm-size': 'shm_size', tmpfs: 'tmpfs', ulimit: 'ulimits', expose: 'expose' },
  ...{ 'health-cmd': 'healthcheck', 'health-interval': 'healthcheck', 'health-retries': 'healthcheck' },
  ...{ 'health-timeout': 'healthcheck', 'health-start-period': 'healthcheck', 'no-healthcheck': 'healthcheck' },
  ...{ 'pids-limit': 'pids_limit', detach: 'attach', interactive: 'stdin_open', tty: 'tty', init: 'init' },
  ...{
    privileged: 'privileged',
    'read-only': 'read_only',
    'publish-all': 'ports',
    'stop-timeout': 'stop_grace_period',
  },
  ...{
    'stop-signal': 'stop_signal',
    runtime: 'runtime',
    userns: 'userns_mode',
    pid: 'pid',
    ipc: 'ipc',
    rm: 'attach',
    quiet: 'attach',
    'sig-proxy': 'attach',
    'oom-kill-disable': 'oom_kill_disable',
  },
}
const single = new Set(['mem_limit', 'mem_reservation', 'cpus', 'user', 'entrypoint', 'working_dir', 'privileged'])

/** The service that the words of one command say; what nobody knows is a key of its own, which is then refused. */
async function serviceOf(
  words: string[],
  folder: string,
  valueOf: (variable: string) => string,
): Promise<{ name: string; of: Values }> {
  const of: Values = {}
  let name = ''
  const read: Record<string, (text: string) => unknown> = {
    mount: mountIn,
    // Without a text it is what the shell has.
    env: (text) => (text.includes('=') ? text : `${text}=${valueOf(text)}`),
  }
  const add = (option: string, value: string) => {
    const key = inCompose[option] ?? `--${option}`
    if (option === 'name') name = value
    else if (option === 'stop-timeout') of[key] = `${value}s`
    else if (single.has(key)) of[key] = value
    else of[key] = [...((of[key] as unknown[] | undefined) ?? []), read[option]?.(value) ?? value]
  }
  let at = 0
  for (; at < words.length && words[at]!.startsWith('-'); at++) {
    const [, long, given] = /^--([\w-]+)(?:=(.*))?$/s.exec(words[at]!) ?? []
    if (long !== undefined) {
      if (switches.has(long)) add(long, given ?? 'true')
      else add(long, given ?? words[++at] ?? '')
      continue
    }
    // Of several letters all but the last are switches, and the last may have its value behind it.
    for (let letters = words[at]!.slice(1); letters !== ''; letters = letters.slice(1)) {
      const option = short[letters[0]!] ?? letters[0]!
      if (switches.has(option)) add(option, 'true')
      else {
        add(option, letters.length > 1 ? letters.slice(1).replace(/^=/, '') : (words[++at] ?? ''))
        break
      }
    }
  }
  const image = words[at] ?? ''
  const command = words.slice(at + 1)
  const files = (of.env_file as string[] | undefined)?.map((file) => readEnv(resolve(folder, file)))
  return {
    name: name || image.replace(/^.*\/|[:@].*$/g, '') || 'n8n',
    of: {
      ...of,
      image,
      ...(command.length && { command }),
      ...(files && { env_file: await Promise.all(files) }),
    },
  }
}

/** `type=volume,source=n8n_data,target=/home/node/.n8n,readonly`. */
function mountIn(text: string): Values {
  const parts = new Map(text.split(',').map((part) => nameValue(part)))
  const first = (...names: string[]) => names.map((name) => parts.get(name)).find((one) => one !== undefined) ?? ''
  return {
    type: first('type') || 'volume',
    source: first('source', 'src'),
    target: first('target', 'destination', 'dst'),
    ...((parts.has('readonly') || parts.has('ro')) && { read_only: true }),
  }
}
