import { execa } from 'execa'
import { clusterErrors } from './errors.ts'

/** The cluster that kubectl would use. */
export interface Context {
  name: string
  server: string
}

const patience = 10

/** The current context of KUBECONFIG. Its API server is not asked. */
export async function currentContext(): Promise<Context> {
  const viewed = await execa('kubectl', ['config', 'view', '--minify', '--output', 'json'], { reject: false })
  if (viewed.code === 'ENOENT') throw clusterErrors.missingKubectl()
  if (viewed.failed) throw clusterErrors.noCluster('kubectl to have a current context', lastLine(viewed.stderr))
  const config = JSON.parse(viewed.stdout)
  const name: string = config['current-context']
  return { name, server: config.clusters?.[0]?.cluster?.server ?? '' }
}

/** If its API server does not answer, the error says so. */
export async function clusterAnswers({ name, server }: Context): Promise<void> {
  const version = await execa(
    'kubectl',
    ['--context', name, `--request-timeout=${patience}s`, 'get', '--raw', '/version'],
    { reject: false },
  )
  if (version.failed)
    throw clusterErrors.noCluster(`the cluster of the context ${name} (${server}) to answer`, lastLine(version.stderr))
}

const lastLine = (text: string) =>
  text
    .trim()
    .split('\n')
    .at(-1)!
    .replace(/^[Ee]rror: /, '')
    .replace(/\.$/, '')
