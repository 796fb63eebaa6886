/** What to change when something ran out: values of a role, or what runs beside n8n. */

const roles = ['main', 'worker', 'webhook'] as const
type Role = (typeof roles)[number]

/** What of n8n a process is; undefined of what runs beside it. */
export const roleOf = (process: string): Role | undefined =>
  roles.find((role) => process.startsWith(`${role}-`) && !process.endsWith('-runner'))

const storeOf = (process: string) => (['redis', 'postgresql'] as const).find((name) => process.startsWith(name))

/** Does it run beside n8n, as on another machine? */
export const isStore = (process: string): boolean => storeOf(process) !== undefined

/** The Helm value that limits a process: `worker.resources.limits`. */
export function limitsOf(process: string): string {
  if (process.endsWith('-runner')) return 'runner.resources.limits'
  const role = roleOf(process)
  if (role) return `${role}.resources.limits`
  const store = storeOf(process)
  return store ? `${store === 'redis' ? 'redis' : 'database'}.embedded.resources.limits` : 'its limits'
}

/** What takes the load off an event loop that is full. */
export const more: Record<Role, string> = {
  main: 'set executions.mode: queue, whose workers take the executions off it',
  worker: 'raise worker.replicas',
  webhook: 'raise webhook.replicas',
}
