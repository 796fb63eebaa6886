import { usage } from '../../errors.ts'

/** Why an n8n that runs already cannot be measured. */
export const attachedErrors = {
  unreachable: (url: string, got: string, hint: string) =>
    usage('unreachable', `Expected ${url} to answer, got: ${got}.`, hint),
}
