import { at, usage, type Location } from '../../lib/errors.ts'

/** What is wrong with a profile, or a file that is read like one. */
export const profileErrors = {
  unreadableFile: (path: string, reason: string) =>
    usage(
      'unreadable-file',
      `${path}: Expected a readable YAML file, got: ${reason}.`,
      'Check the path and the file’s syntax.',
    ),

  badProfile: (location: Location, problems: string[], fix: string) =>
    usage('bad-profile', problems.map((problem) => `${at(location)}: ${problem}`).join('\n'), fix),
}
