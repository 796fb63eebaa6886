import type { z } from 'zod'
import { badRequest, requestSchema, type RequestSpec } from './schema.ts'

/** Reads one request, or a list of kinds of them. Errors say where, and never quote the input, which may be secret. */
export function parseRequests(given: unknown, where: string): RequestSpec[] {
  const all = Array.isArray(given) ? given : [given]
  if (!all.length) throw badRequest(where, 'Expected a request, got an empty list.')
  return all.map((one, index) => parseRequest(one, Array.isArray(given) ? `${where}, request ${index + 1}` : where))
}

export function parseRequest(given: unknown, where: string): RequestSpec {
  const parsed = requestSchema.safeParse(given)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues
  const stray = issues.find(({ code }) => code === 'unrecognized_keys') as z.core.$ZodIssueUnrecognizedKeys | undefined
  if (stray)
    throw badRequest(
      where,
      `Expected ${at(stray.path)} without the key "${stray.keys[0]}", got it.`,
      `A request has ${Object.keys(requestSchema.shape).join(', ')}: put the data to send under body.`,
    )
  const [issue] = issues as [z.core.$ZodIssue]
  throw badRequest(where, `${at(issue.path)}: Expected ${expectation(issue)}, got something else.`)
}

const at = (path: PropertyKey[]) => path.join('.') || 'a request'

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return issue.expected === 'object' || issue.expected === 'record' ? 'a map' : `a ${issue.expected}`
  if (issue.code === 'invalid_value') return issue.values.join(' or ')
  if (issue.code === 'too_small') return issue.origin === 'number' ? `more than ${issue.minimum}` : 'at least one'
  return issue.message
}
