import { readFile } from 'node:fs/promises'
import { atPath, mergeValues } from '../../../lib/values.ts'
import { paths } from '../../../lib/paths.ts'
import type { Disturbance } from '../../target.ts'
import type { Values } from '../../../model/experiment.ts'

/** Values with which the lab can do what the disturbances need. */
export async function prepareValues(disturbances: Disturbance[], values: Values): Promise<Values> {
  const hows = new Set(disturbances.map(({ how }) => how))
  return mergeValues(
    values,
    // The disk that the lab fills is in memory, and no claim.
    hows.has('fill-disk') ? atPath('database.embedded.persistence.enabled', false) : {},
    hows.has('move-clock') ? ownClock(values, await readFile(paths.movableClock, 'base64')) : {},
  )
}

const roles = ['main', 'webhook', 'worker']

/** Each n8n process first loads a clock that the lab can move. */
function ownClock(values: Record<string, any>, program: string): Values {
  const flag = `--import=data:text/javascript;base64,${program}`
  const given = (role: string) => values[role]?.extraEnv?.NODE_OPTIONS ?? values.role?.extraEnv?.NODE_OPTIONS ?? ''
  return mergeValues(...roles.map((role) => atPath(`${role}.extraEnv.NODE_OPTIONS`, `${given(role)} ${flag}`.trim())))
}
