import { exitCodes } from '../../../loadtests/src/errors.ts'
import { faultErrors } from '../../../loadtests/src/shared/fault-errors.ts'

const all = {
  noSuchComponent: faultErrors.noSuchComponent('redis', ['main']),
  unknownFault: faultErrors.unknownFault('redis-melted', ['redis-frozen']),
  faultNeedsRate: faultErrors.faultNeedsRate(),
  faultsApart: faultErrors.faultsApart(),
  noFaultsThere: faultErrors.noFaultsThere(),
  faultElsewhere: faultErrors.faultElsewhere('a cluster: --target kubernetes'),
} satisfies Record<keyof typeof faultErrors, unknown>

test.each(Object.entries(all))(
  '%s says what was expected, what was got and what to do, and ends with 2',
  (_, error) => {
    expect(error.exit).toBe(exitCodes.usage)
    expect(error.message).toMatch(/^Expected .*, got .*\.$/)
    expect(error.hint).toMatch(/\.$|s$/)
  },
)
