/** What a process is, by its name. */

const roles = ['main', 'worker', 'webhook'] as const
export type N8nRole = (typeof roles)[number]

/** What of n8n a process is; undefined of what runs beside it. */
export const roleOf = (process: string): N8nRole | undefined =>
  roles.find((role) => process.startsWith(`${role}-`) && !process.endsWith('-runner'))

export const storeOf = (process: string) => (['redis', 'postgresql'] as const).find((name) => process.startsWith(name))

/** Does it run beside n8n, as on another machine? */
export const isStore = (process: string): boolean => storeOf(process) !== undefined
