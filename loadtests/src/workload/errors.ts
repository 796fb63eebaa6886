import { usage } from '../lib/errors.ts'

/** What is wrong with a workflow. `where` is a file, with its line if known. */
export const workloadErrors = {
  unknownWorkflow: (where: string, name: string, known: string[]) =>
    usage(
      'unknown-workflow',
      `${where}: Expected workflows to name a bundled workflow, a JSON file or a folder of them, got "${name}".`,
      `Bundled: ${known.join(', ')}.`,
    ),

  badWorkflow: (where: string, expected: string, got: string) =>
    usage(
      'bad-workflow',
      `${where}: Expected ${expected}, got ${got}.`,
      'Export the workflow from the n8n editor again, with a trigger that is not disabled.',
    ),

  noSuchWorkflow: (where: string, name: string, known: string[]) =>
    usage(
      'no-such-workflow',
      `${where}: Expected a workflow called "${name}", got ${known.join(', ') || 'none'}.`,
      'Name one of these after the #, by its name or its id.',
    ),

  missingLinked: (where: string, workflow: string, what: string, id: string) =>
    usage(
      'missing-workflow',
      `${where}: Expected ${what} of ${workflow}, the workflow with the id ${id}, beside it, got none.`,
      'Export both into one file or folder: n8n export:workflow --all --separate --output=folder/, then name folder/#'
        + workflow
        + '.',
    ),

  badCredentials: (where: string, got: string) =>
    usage(
      'bad-credentials',
      `${where}: Expected credentials as n8n export:credentials --all --decrypted writes them, got ${got}.`,
      'Export them again. The lab reads the file, imports it for the run and never records it.',
    ),

  missingCredential: (workflow: string, node: string, name: string) =>
    usage(
      'missing-credential',
      `${workflow}: Expected the credential ${name} of its trigger "${node}", got none: it would refuse `
        + 'every request.',
      'Give it with --credentials FILE, as n8n export:credentials --all --decrypted writes it.',
    ),

  missingAuth: (workflow: string, node: string, kind: string) =>
    usage(
      'missing-auth',
      `${workflow}: Expected a request with ${kind}, which its trigger "${node}" asks for, got one without.`,
      'Give auth in the request (docs/workload.md), or its credential with --credentials FILE.',
    ),

  badDataTable: (where: string, problem: string) =>
    usage('bad-data-table', `${where}: ${problem}.`, 'docs/workload.md shows what a data table consists of.'),

  missingDataTable: (workflow: string, table: string) =>
    usage(
      'missing-data-table',
      `${workflow}: Expected the data table "${table}" that it uses, got none with that id or name.`,
      'Give it with --data-tables FILE (docs/workload.md).',
    ),

  badRequest: (where: string, problem: string, hint = 'docs/workload.md lists what a request may say.') =>
    usage('bad-request', `${where}: ${problem}`, hint),

  unreadable: (where: string, reason: string) =>
    usage(
      'unreadable-file',
      `${where}: Expected a readable file, got ${reason}.`,
      'Check the path; it begins where the command runs.',
    ),
}
