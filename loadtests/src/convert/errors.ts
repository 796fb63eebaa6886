import { usage } from '../errors.ts'

/** Why another chart's values or a Compose file cannot be converted. */
export const convertErrors = {
  whichN8n: (got: string, ask: string) =>
    usage(
      'which-version',
      `image.tag: Expected the exact n8n version that runs there, got ${got ? `"${got}"` : 'none'}: an `
        + 'earlier one may not read its database.',
      `Give it with --tag. It is what this prints: ${ask}.`,
    ),

  badCompose: (file: string, expected: string, hint: string) =>
    usage('bad-compose', `${file}: Expected ${expected}, found none.`, hint),
}
