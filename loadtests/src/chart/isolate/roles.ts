/** The values that hold settings of pods. */
export const roles = ['role', 'main', 'worker', 'webhook', 'runner']

/** Those of n8n's own pods. */
export const rolesOfN8n = roles.filter((role) => role !== 'runner')
