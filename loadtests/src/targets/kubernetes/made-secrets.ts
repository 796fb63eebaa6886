import { randomBytes } from 'node:crypto'
import { atPath, mergeValues } from '../../lib/values.ts'
import type { Values } from '../../model/experiment.ts'

/** Those that the chart's hook would generate. It needs rights to make Roles, which the lab does without. */
const places = ['encryptionKey', 'database.password', 'redis.password', 'runner.token']

/** Pure but for chance: values for the secrets that the given ones leave to the chart. */
export const madeSecrets = (values: Values, make = () => randomBytes(24).toString('hex')): Values =>
  mergeValues(
    ...places
      .filter((place) => {
        const { value, existingSecret, none } = place.split('.').reduce<any>((inner, key) => inner?.[key], values) ?? {}
        return !value && !existingSecret?.name && !none
      })
      .map((place) => atPath(`${place}.value`, make())),
  )
