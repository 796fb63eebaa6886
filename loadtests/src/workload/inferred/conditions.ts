import { listIn } from '../../lib/json.ts'

/** One condition of an If, Filter or Switch node, and how it has to come out for the main branch to run. */
export interface Condition {
  left: unknown
  operation: string
  right: unknown
  holds: boolean
}

interface Given {
  leftValue?: unknown
  rightValue?: unknown
  operator?: { operation?: string; type?: string }
}

/** What n8n checks, where it does not convert: a value of another type ends the execution. */
export interface Typed {
  left: unknown
  type: string
}

/** All conditions of a node: it looks at each until one holds. */
export const typesOf = (parameters: Record<string, unknown>): Typed[] => {
  const { conditions, rules } = parameters as {
    conditions?: { conditions?: unknown }
    rules?: { values?: unknown }
  }
  const all = [
    conditions?.conditions,
    ...[rules?.values ?? []]
      .flat()
      .map((one) => (one as { conditions?: { conditions?: unknown } } | null)?.conditions?.conditions),
  ]
  return all.flatMap((given) =>
    listIn(given as Given[]).flatMap(({ leftValue, operator }) =>
      operator?.type && !/exists|empty/i.test(operator.operation ?? '')
        ? [{ left: leftValue, type: operator.type }]
        : [],
    ),
  )
}

interface Old {
  value1?: unknown
  value2?: unknown
  operation?: string
}

/** `branch`: the output that leads to most of the workflow. */
export function conditionsOf(type: string, parameters: Record<string, unknown>, branch: number): Condition[] {
  switch (type) {
    case 'if':
      return either(parameters, branch === 0)
    case 'filter':
      return either(parameters, true)
    case 'switch':
      return switched(parameters, branch)
    default:
      return []
  }
}

function either(parameters: Record<string, unknown>, holds: boolean): Condition[] {
  const given = parameters.conditions as { conditions?: Given[]; combinator?: string } | undefined
  if (typeof given !== 'object' || given === null) return []
  if (Array.isArray(given.conditions))
    return part(
      listIn(given.conditions).map((one) => conditionOf(one, holds)),
      given.combinator,
      holds,
    )
  const old = Object.entries(given as Record<string, Old[]>).flatMap(([kind, all]) =>
    listIn(all).map(({ value1, value2, operation = kind === 'number' ? 'smaller' : 'equal' }) => ({
      left: value1,
      operation: String(operation),
      right: value2,
      holds,
    })),
  )
  return part(old, parameters.combineOperation === 'any' ? 'or' : 'and', holds)
}

/** Of several that are joined by "or", one is enough; and to be false, one that is joined by "and". */
const part = (all: Condition[], joined = 'and', holds: boolean) => ((joined === 'or') === holds ? all.slice(0, 1) : all)

const conditionOf = ({ leftValue, rightValue, operator }: Given, holds: boolean): Condition => ({
  left: leftValue,
  operation: String(operator?.operation ?? 'equals'),
  right: rightValue,
  holds,
})

function switched(parameters: Record<string, unknown>, branch: number): Condition[] {
  const { rules, value1 } = parameters as {
    rules?: { values?: { conditions?: { conditions?: Given[] } }[]; rules?: (Old & { output?: number })[] }
    value1?: unknown
  }
  const chosen = rules?.values?.[branch] ?? rules?.values?.[0]
  if (chosen) return listIn(chosen.conditions?.conditions).map((one) => conditionOf(one, true))
  const old = rules?.rules?.find((rule, index) => (rule.output ?? index) === branch) ?? rules?.rules?.[0]
  return old ? [{ left: value1, operation: String(old.operation ?? 'equal'), right: old.value2, holds: true }] : []
}
