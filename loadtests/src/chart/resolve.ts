import type { Container, Service } from './plan.ts'

/** Where the ports, paths and peers of a container are on this machine. */
export interface Surroundings {
  /** Container port → port on loopback. */
  ports: Map<number, number>
  /** The folder that stands for the container's root. */
  root: string
  /** Paths that exist under that root. */
  mounts: string[]
  /** `name:port` of a Service → port on loopback. */
  services: Map<string, number>
}

/**
 * Processes on one machine share its ports and its file system, but containers do not. So the lab rewrites ports,
 * mounted paths and Services of the chart to those of this machine, and nothing else.
 */
export function resolveEnv(env: Container['env'], around: Surroundings): Record<string, string> {
  const peers = peerPorts(env, around)
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      peers.get(name) ?? ownPort(name, value, around) ?? resolveText(value, around),
    ]),
  )
}

export function resolveText(text: string, around: Surroundings): string {
  return inServices(inPod(inRoot(text, around), around), around)
}

/** If `DB_POSTGRESDB_HOST` names a Service, its `…_HOST` becomes loopback and its `…_PORT` the port on this machine. */
function peerPorts(env: Container['env'], { services }: Surroundings): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, host] of Object.entries(env)) {
    const port = name.endsWith('_HOST') && name.replace(/_HOST$/, '_PORT')
    const here = port && services.get(`${host}:${env[port]}`)
    if (!here) continue
    found.set(name, '127.0.0.1')
    found.set(port, String(here))
  }
  return found
}

function ownPort(name: string, value: string, { ports }: Surroundings): string | undefined {
  if (!name.endsWith('PORT')) return undefined
  return ports.get(Number(value))?.toString()
}

/** The longest paths come first, so that a mount inside another mount is found. */
function inRoot(text: string, { root, mounts }: Surroundings): string {
  const paths = [...mounts].sort((a, b) => b.length - a.length).map(escape)
  if (paths.length === 0) return text
  return text.replace(new RegExp(`(?<![\\w.-])(?:${paths.join('|')})(?=$|[^\\w.-])`, 'g'), (path) => root + path)
}

/** Containers of a pod call each other on its loopback. */
function inPod(text: string, { ports }: Surroundings): string {
  return text.replace(
    /(?<=(?<![\w.-])(?:127\.0\.0\.1|localhost):)\d+/g,
    (port) => ports.get(Number(port))?.toString() ?? port,
  )
}

function inServices(text: string, { services }: Surroundings): string {
  const names = [...services.keys()].map(escape)
  if (names.length === 0) return text
  return text.replace(
    new RegExp(`(?<![\\w.-])(?:${names.join('|')})(?!\\d)`, 'g'),
    (peer) => `127.0.0.1:${services.get(peer)}`,
  )
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

export const serviceKey = ({ name, port }: Pick<Service, 'name' | 'port'>) => `${name}:${port}`
