import type { Plan } from './plan.ts'

/** Community nodes that npm fetches before n8n starts, by the registry that it asks; those of volumes are there. */
export interface Fetched {
  registry: string
  packages: string[]
}

const usualRegistry = 'registry.npmjs.org'

export function packagesFetched(plans: Plan[]): Fetched[] {
  const asked = plans.flatMap(({ workloads }) =>
    workloads
      .flatMap(({ init }) => init.filter(({ name }) => name === 'community-nodes'))
      .map(({ env }) => ({
        registry: env.NPM_CONFIG_REGISTRY || usualRegistry,
        packages: (env.PACKAGES ?? '').split(' ').filter((spec) => spec !== '' && !spec.startsWith('/')),
      })),
  )
  return [...Map.groupBy(asked, ({ registry }) => registry)]
    .map(([registry, all]) => ({ registry, packages: [...new Set(all.flatMap(({ packages }) => packages))] }))
    .filter(({ packages }) => packages.length > 0)
}
