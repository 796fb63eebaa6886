/** Of every verb with an answer for programs. */
export const jsonOption = ['--json', 'print JSON instead of words'] as const

/** The one document on standard output. An error beside it is words on standard error, with its exit code. */
export function printJson(document: object): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}
