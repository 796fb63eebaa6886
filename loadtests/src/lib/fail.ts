/**
 * Receives an error from work that nobody waits for, such as a look every second. A run that is told one takes
 * everything down and ends with that error.
 */
export type Fail = (error: unknown) => void

/** Where there is no run to tell, the process ends with the error. */
export const failProcess: Fail = (error) => void Promise.reject(error)
