/** Documented exit codes of the command. */
export const exitCodes = {
  met: 0,
  failure: 1,
  usage: 2,
  missed: 3,
  invalid: 4,
  // As a shell tells the signal that ended a program: 128 and its number.
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

interface Details {
  code: string
  message: string
  hint?: string
  exit: ExitCode
  /** The last lines of the log of what failed. */
  log?: string[]
}

/** An error that the user can act on. Any other error that is thrown is a bug of the lab. */
export class LabError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly exit: ExitCode
  readonly log: string[]

  constructor(details: Details) {
    super(details.message)
    this.name = 'LabError'
    this.code = details.code
    this.hint = details.hint
    this.exit = details.exit
    this.log = details.log ?? []
  }
}

/** A place in a user's file. */
export interface Location {
  file: string
  line: number | null
}

export const locationText = ({ file, line }: Location) => (line === null ? file : `${file}:${line}`)

/** An error that the user has to correct. */
export const usage = (code: string, message: string, hint: string) =>
  new LabError({ code, message, hint, exit: exitCodes.usage })

/** Nothing was measured, or nothing valid. */
export const invalid = (code: string, message: string, hint: string, log?: string[]) =>
  new LabError({ code, message, hint, log, exit: exitCodes.invalid })

/** Whether it says that nothing valid was measured: a result like any other, after which the run goes on. */
export const isInvalid = (error: unknown): error is LabError =>
  error instanceof LabError && error.exit === exitCodes.invalid

/** The lab itself failed. */
export const failure = (code: string, message: string, hint?: string) =>
  new LabError({ code, message, hint, exit: exitCodes.failure })

/** A signal ended what was asked for; `exit` is of that signal. */
export const interrupted = (message: string, exit: ExitCode) => new LabError({ code: 'interrupted', message, exit })

/** What the system's codes mean to whoever named the file. */
const problems: Record<string, string> = {
  ENOENT: 'none of that name',
  EACCES: 'one that this user may not use',
  EPERM: 'one that this user may not use',
  EISDIR: 'a folder',
  ENOTDIR: 'a path that leads through a file',
  EROFS: 'a disk that takes no writes',
  EADDRINUSE: 'a port that another program has',
}

export function problemOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return problems[code ?? ''] ?? code ?? message
}

/** A file that the user named. */
export const unreadable = (where: string, reason: string) =>
  usage(
    'unreadable-file',
    `${where}: Expected a readable file, got ${reason}.`,
    'Check the path; it begins where the command runs.',
  )
