import { posix } from 'node:path'

/** Where isolated values will run. */
export interface Where {
  /** `installed`: programs of this machine stand for images. `pulled`: a container runtime or a cluster pulls them. */
  images?: 'installed' | 'pulled'
  /** Images that could not be pulled there. */
  missing?: string[]
  /** The packages of community nodes that the measured workflows use. */
  packages?: string[]
}

/** Folders by what becomes of their mounts. */
export interface Folders {
  /** Only production has what is in them. */
  lost: string[]
  /** A pod of the run has them, beside the chart's own. */
  kept: string[]
}

const ofChart = ['/home/node/.n8n', '/home/node/.cache', '/tmp']

/** Whether a path leads to something of the pod's own, where the isolated values run. */
export function isHere(path: string, { images = 'installed' }: Where, { lost, kept }: Folders): boolean {
  // Folders here are links, behind which `..` leads elsewhere than it does in a pod.
  if (!path.startsWith('/') || path.split('/').includes('..')) return false
  const normal = posix.normalize(path)
  const isUnder = (folder: string) => normal === folder || normal.startsWith(`${folder.replace(/\/$/, '')}/`)
  if (lost.some(isUnder)) return false
  // An image has folders that the values do not tell. Processes have only what is mounted.
  return images === 'pulled' || [...ofChart, ...kept].some(isUnder)
}
