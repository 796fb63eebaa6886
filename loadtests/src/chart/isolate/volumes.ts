import { leftOut, listAt, put, roles, textAt, type IsolatedDraft } from './draft.ts'
import type { Folders } from './where.ts'
import type { Values } from '../../model/experiment.ts'

/**
 * Volumes of the roles: those with data begin empty, and those with files of production's Secrets and ConfigMaps are
 * left out, with their mounts.
 */
export function ownVolumesOfRoles({ values, aside }: IsolatedDraft): Folders {
  const kinds = new Map<string, Kind>()
  for (const role of roles) {
    const volumes = listAt(values, `${role}.extraVolumes`)
    if (!volumes.length) continue
    for (const volume of volumes) kinds.set(String(volume.name), kindOf(volume))
    const of = (kind: Kind) =>
      volumes.filter((volume) => kindOf(volume) === kind).map(({ name }) => `${role}.extraVolumes ${String(name)}`)
    put(
      values,
      `${role}.extraVolumes`,
      volumes
        .filter((volume) => kindOf(volume) !== 'files')
        .map((volume) => (kindOf(volume) === 'data' ? { name: volume.name, emptyDir: {} } : volume)),
    )
    if (of('data').length) aside(of('data'), 'empty folders', 'The disk may be faster or slower, and has no files')
    if (of('files').length) aside(of('files'), leftOut, 'n8n does not read them')
  }
  return foldersOf(values, kinds)
}

/** Removes the mounts of volumes that are left out; their folders are lost. */
function foldersOf(values: Values, kinds: Map<string, Kind>): Folders {
  const folders: Folders = { lost: [], kept: [] }
  for (const role of roles) {
    const mounts = listAt(values, `${role}.extraVolumeMounts`)
    if (!mounts.length) continue
    const isLost = ({ name }: Values) => kinds.get(String(name)) === 'files'
    for (const mount of mounts) folders[isLost(mount) ? 'lost' : 'kept'].push(String(mount.mountPath))
    put(
      values,
      `${role}.extraVolumeMounts`,
      mounts.filter((mount) => !isLost(mount)),
    )
  }
  return folders
}

type Kind = 'empty' | 'data' | 'files'

function kindOf(volume: Values): Kind {
  if ('emptyDir' in volume || 'downwardAPI' in volume) return 'empty'
  const isOfSecrets = textAt(volume, 'csi.driver').startsWith('secrets-store.')
  if ('secret' in volume || 'configMap' in volume || 'projected' in volume || isOfSecrets) return 'files'
  return 'data'
}
