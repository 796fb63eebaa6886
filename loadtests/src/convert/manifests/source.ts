import { dockerCompose, rolesThere, convertServices } from '../compose/source.ts'
import { composeServices, mainOf, mountOf } from '../compose/services.ts'
import { dropped } from '../rules.ts'
import { kubectlExec, type Source } from '../source.ts'
import { n8nFolder } from './read.ts'

/** Deployments and StatefulSets of somebody's own, in the namespace to which the chart goes. */
export const ownManifests: Source = {
  ...dockerCompose,
  called: 'manifests of Kubernetes',
  rules: {
    ...dockerCompose.rules,
    services: convertServices('It is another program, which stays in the namespace under its name.'),
    ...dropped('The chart makes objects of its own: say the address in ingress or gateway.', 'objects'),
  },
  inside: (all) => kubectlExec(mainOf(all)?.name ?? ''),
  claim: (all) => {
    const mounts = mainOf(all)?.of.volumes
    const folder = Array.isArray(mounts) && mounts.map(mountOf).find(({ target }) => n8nFolder.test(target))
    return folder ? folder.from : null
  },
  // The stores beside n8n stay where they are, under the names that they have in the namespace.
  finish: (draft, all) => rolesThere(draft, composeServices(all)),
}
