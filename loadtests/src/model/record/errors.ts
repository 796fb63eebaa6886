import { failure, usage } from '../../lib/errors.ts'

/** What is wrong with the folder of a run, or with the store that it is copied to. */
export const recordErrors = {
  notARun: (dir: string) =>
    usage('not-a-run', `Expected ${dir} to hold a run.ndjson, found none.`, 'Name a folder under results/.'),

  emptyRun: (dir: string) =>
    usage(
      'not-a-run',
      `Expected ${dir} to hold a run.ndjson that begins with the run’s own record, got none.`,
      'The run ended before anything was measured: run it again.',
    ),

  holdsARun: (dir: string) =>
    usage(
      'holds-a-run',
      `Expected --out to name a folder without a run, got ${dir}, which holds one.`,
      'Name another folder, or remove that one.',
    ),

  unwritableFolder: (dir: string, reason: string) =>
    usage(
      'unwritable-folder',
      `Expected --out to name a folder to write to, got ${dir}: ${reason}.`,
      'Name another folder.',
    ),

  unwritable: (path: string, reason: string) =>
    failure(
      'unwritable',
      `Expected to write to ${path}, got: ${reason}. What was written before is kept.`,
      'Look at that disk, or name another folder with --out.',
    ),

  unreadable: (path: string, reason: string) =>
    usage('unreadable', `Expected to read ${path}, got: ${reason}.`, 'Look at its permissions and its disk.'),

  damagedRun: (path: string, line: number) =>
    usage(
      'damaged-run',
      `${path}:${line}: Expected a JSON record, got something else.`,
      'Only the last line of an interrupted run may be cut short; restore the file.',
    ),

  noCredentials: (url: string) =>
    usage(
      'no-credentials',
      `Expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment for ${url}, found none.`,
      'Set them; AWS_REGION and AWS_ENDPOINT_URL_S3 say where a store is that is not in AWS’ us-east-1.',
    ),

  badEndpoint: (endpoint: string) =>
    usage(
      'bad-endpoint',
      `Expected AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL to be a URL like https://s3.example.com, got "${endpoint}".`,
      'Correct that variable.',
    ),

  noStore: (url: string, endpoint: string, got: string) =>
    usage(
      'no-store',
      `Expected the bucket of ${url} at ${endpoint}, got: ${got}.`,
      'AWS_ENDPOINT_URL_S3 and AWS_REGION say where the store is; the bucket has to be there.',
    ),

  notStored: (url: string, dir: string, file: string, got: string) =>
    failure(
      'not-stored',
      `Expected ${url} to take ${file} of the run, got: ${got}. Nothing is lost: all of it is in ${dir}.`,
      `./n8n-tuned report ${dir} --record ${url} copies it again.`,
    ),
}
