import { randomBytes } from 'node:crypto'

interface HookManifest {
  kind: string
  metadata: { annotations?: Record<string, string> }
  spec?: any
}

/** The same keys for every plan of this process, because one plan may have to decrypt what another encrypted. */
const random = new Map<string, string>()
const valueOf = (key: string) => random.get(key) ?? random.set(key, randomBytes(24).toString('hex')).get(key)!

/** The Secrets that the chart's hook generates at its installation (files/generate-secrets.js). */
export function generatedSecrets(
  manifests: HookManifest[],
): { kind: string; metadata: { name: string }; stringData: Record<string, string> }[] {
  return manifests
    .filter(({ kind, metadata }) => kind === 'Job' && metadata.annotations?.['helm.sh/hook'])
    .flatMap(({ spec }) => spec.template.spec.containers)
    .flatMap(({ env = [] }: any) => {
      const said = Object.fromEntries(env.map(({ name, value }: any) => [name, value]))
      if (!said.MANIFEST || !said.KEYS) return []
      const stringData = Object.fromEntries(said.KEYS.split(' ').map((key: string) => [key, valueOf(key)]))
      return [{ ...JSON.parse(said.MANIFEST), stringData }]
    })
}
