import { execa } from 'execa'
import { isThisMachine } from '../this-machine.ts'
import { clusterErrors } from './errors.ts'

/** The cluster that kubectl would use. */
export interface Context {
  name: string
  server: string
  /** Its API server has an address of this machine. */
  local: boolean
}

const patience = 10

/** The current context of KUBECONFIG, once its API server has answered. */
export async function currentContext(): Promise<Context> {
  const viewed = await execa('kubectl', ['config', 'view', '--minify', '--output', 'json'], { reject: false })
  if (viewed.code === 'ENOENT') throw clusterErrors.missingKubectl()
  if (viewed.failed) throw clusterErrors.noCluster('kubectl to have a current context', lastLine(viewed.stderr))
  const config = JSON.parse(viewed.stdout)
  const name: string = config['current-context']
  const server: string = config.clusters?.[0]?.cluster?.server ?? ''
  const version = await execa(
    'kubectl',
    ['--context', name, `--request-timeout=${patience}s`, 'get', '--raw', '/version'],
    { reject: false },
  )
  if (version.failed)
    throw clusterErrors.noCluster(`the cluster of the context ${name} (${server}) to answer`, lastLine(version.stderr))
  return { name, server, local: isThisMachine(new URL(server).hostname) }
}

const lastLine = (text: string) =>
  text
    .trim()
    .split('\n')
    .at(-1)!
    .replace(/^[Ee]rror: /, '')
    .replace(/\.$/, '')
