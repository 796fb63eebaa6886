import { usage } from '../lib/errors.ts'

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

  severalMains: (names: string[]) =>
    usage(
      'several-mains',
      `Expected one service that runs the editor of n8n, got ${names.length}: ${names.join(', ')}.`,
      `Convert one at a time, and leave the others out: --drop services.${names.at(-1)}.`,
    ),

  otherDatabase: (path: string, got: string) =>
    usage(
      'other-database',
      `${path}: Expected the database sqlite or postgresdb, which this chart knows, got ${got}.`,
      'Write which of the two it is, or move n8n to PostgreSQL first.',
    ),

  whichDatabase: (said: string) =>
    usage(
      'which-database',
      `Expected DB_TYPE beside ${said}: without it n8n uses SQLite, and would start with an empty one.`,
      'Add DB_TYPE (sqlite or postgresdb) as n8n has it: printenv DB_TYPE in its container.',
    ),

  emptyKey: (path: string) =>
    usage(
      'empty-key',
      `${path}: Expected n8n's encryption key, got nothing: n8n would then use one of its own.`,
      'Write the key there. If n8n made its own, leave the variable out, and the key is read from its folder.',
    ),

  nothingToDrop: (paths: string[]) =>
    usage(
      'nothing-to-drop',
      `--drop: Expected keys of that file, found none at ${paths.join(', ')}.`,
      'Write a key as it is printed, such as services.n8n.labels[0].',
    ),

  unknownKeys: (called: string, places: string[], drop: string) =>
    usage(
      'unknown-keys',
      `Expected only keys that ${called} reads, got ${places.length} other${places.length > 1 ? 's' : ''}:\n`
        + places.map((place) => `  ${place}`).join('\n'),
      `Correct each, or leave it out: --drop ${drop} (once for each key or map).`,
    ),
}
