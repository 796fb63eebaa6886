import { usage } from '../../lib/errors.ts'

/** Reasons why an n8n that already runs cannot be measured. */
export const attachedErrors = {
  unreachable: (url: string, got: string, hint: string) =>
    usage('unreachable', `Expected ${url} to answer, got: ${got}.`, hint),
}
