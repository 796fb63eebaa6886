import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { execa } from 'execa'
import { usage } from '../../lib/errors.ts'

/**
 * kubectl knows every way of logging in to a cluster, and the proxies on the way there. All that the lab asks of it
 * goes through here.
 */

/** The cluster that kubectl would use. */
export interface Context {
  name: string
  server: string
}

/** A container in the cluster. */
export interface ContainerPlace {
  namespace: string
  pod: string
  container: string
}

/** Seconds. */
const patience = 10
const execPatience = 30_000

/** What kubectl shall do in this cluster, as its command line. */
export const kubectl = (context: string, ...words: string[]): string[] => ['kubectl', '--context', context, ...words]

/** A command in a container, as kubectl's command line. Its input stays open. */
export const inContainer = (
  context: string,
  { namespace, pod, container }: ContainerPlace,
  command: string[],
): string[] =>
  kubectl(context, '--namespace', namespace, 'exec', '--stdin', pod, '--container', container, '--', ...command)

/** Runs a command in a container without input, and says how it ended. */
export const execIn = (context: string, place: ContainerPlace, command: string[]) =>
  run(inContainer(context, place, command), { timeout: execPatience, stdin: 'ignore' })

const run = ([program, ...words]: string[], options: { timeout?: number; stdin?: 'ignore' } = {}) =>
  execa(program!, words, { reject: false, ...options })

/** The current context of KUBECONFIG. Its API server is not asked. */
export async function currentContext(): Promise<Context> {
  const viewed = await run(['kubectl', 'config', 'view', '--minify', '--output', 'json'])
  if (viewed.code === 'ENOENT')
    throw usage(
      'missing-kubectl',
      'Expected kubectl on PATH, which knows how to log in to your cluster, found none.',
      'https://kubernetes.io/docs/tasks/tools/ says how to install it.',
    )
  if (viewed.failed) throw noCluster('kubectl to have a current context', lastLine(viewed.stderr))
  const config = JSON.parse(viewed.stdout)
  const name: string = config['current-context']
  return { name, server: config.clusters?.[0]?.cluster?.server ?? '' }
}

/** If its API server does not answer, the error says so. */
export async function clusterAnswers({ name, server }: Context): Promise<void> {
  const version = await run(kubectl(name, `--request-timeout=${patience}s`, 'get', '--raw', '/version'))
  if (version.failed)
    throw noCluster(`the cluster of the context ${name} (${server}) to answer`, lastLine(version.stderr))
}

export const noCluster = (what: string, reason: string) =>
  usage(
    'no-cluster',
    `Expected ${what}, got: ${reason}.`,
    'kubectl config get-contexts lists what KUBECONFIG knows; kubectl config use-context chooses one.',
  )

const lastLine = (text: string) =>
  text
    .trim()
    .split('\n')
    .at(-1)!
    .replace(/^[Ee]rror: /, '')
    .replace(/\.$/, '')

/**
 * Starts a command that ends with the lab, even if the lab is killed: then the input of its keeper closes. The keeper
 * also removes the command's folder. The output ends with the command. To end both, end the process group.
 */
export function spawnWithLab(argv: string[], folder = ''): ChildProcessByStdio<Writable, Readable, null> {
  const keeper = `"$@" & kept=$!; exec >&-; trap 'kill $kept; rm -rf "$0"' EXIT; read -r forever`
  return spawn('sh', ['-c', keeper, folder, ...argv], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
}
